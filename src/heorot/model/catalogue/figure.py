"""What the catalogue says of a figure: what is drawn over what, and how."""

from __future__ import annotations

from heorot.model.base import Record


class Figure(Record):
    """A figure that answers a question about one program or several.

    Attributes:
        kind: how it is drawn, the name of one of the kinds that the report knows, such as `curve`,
            `bars`, or `multiples` for a panel of each program.
        metric: what is drawn; nothing where the parts of the time of a body are stacked.
        regions: the regions drawn; empty means all.
        x: the coordinate on the horizontal axis, or `cores`; empty if there are bars instead.
        x_label: its name with unit.
        least_values: fewer different coordinates, or bars, are not worth a figure.
        series: what makes a line or a bar group: `region`, `layout`, `toolchain`, a coordinate,
            `program`, `per_node`: ranks on each node, or `way`: whether more cores mean more
            ranks, threads or copies.
        panels: which of these make panels of curves in any case; others do where lines are too
            many.
        log_x: logarithmic horizontal axis.
        log_y: logarithmic axis of the metric.
    """

    title: str
    kind: str
    metric: str = ""
    regions: tuple[str, ...] = ()
    x: str = ""
    x_label: str = ""
    least_values: int = 1
    series: tuple[str, ...] = ("region",)
    panels: tuple[str, ...] = ()
    log_x: bool = False
    log_y: bool = False

    @classmethod
    def curve(cls, title: str, metric: str, x: str, x_label: str, **more: object) -> Figure:
        """Curves as most are: on logarithmic axes, a line for each region and layout."""
        usual = {"kind": "curve", "series": ("region", "layout"), "log_x": True, "log_y": True}
        named = {"title": title, "metric": metric, "x": x, "x_label": x_label}
        return cls.model_validate(usual | named | more)

    @classmethod
    def bars(cls, title: str, metric: str, series: tuple[str, ...], **more: object) -> Figure:
        """Bars, grouped by what they differ in."""
        named = {"title": title, "kind": "bars", "metric": metric, "series": series}
        return cls.model_validate(named | more)
