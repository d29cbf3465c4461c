"""A figure in the catalogue: its metric, axes, series and panels."""

from __future__ import annotations

from heorot.model.base import Record


class Figure(Record):
    """A figure that answers a question about one program or several.

    Attributes:
        kind: the kind of figure in the report, such as `curve`, `bars`, or `multiples` for a panel
            of each program.
        metric: the metric that is drawn; empty if the parts of the time of a body are stacked.
        regions: the regions drawn; empty means all.
        x: the coordinate on the horizontal axis, or `cores`; empty if there are bars instead.
        x_label: its name with unit.
        least_values: least number of different coordinates, or bars, for a figure.
        series: what lines or groups of bars stand for: `region`, `layout`, `toolchain`, a
            coordinate, `program`, `per_node`: ranks on each node, or `way`: whether more cores mean
            more ranks, threads or copies.
        panels: series that always have panels of their own; others do if there are too many lines.
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
        """The usual curves: on logarithmic axes, with a line for each region and layout."""
        usual = {"kind": "curve", "series": ("region", "layout"), "log_x": True, "log_y": True}
        named = {"title": title, "metric": metric, "x": x, "x_label": x_label}
        return cls.model_validate(usual | named | more)

    @classmethod
    def bars(cls, title: str, metric: str, series: tuple[str, ...], **more: object) -> Figure:
        """Bars, grouped by the series in which they differ."""
        named = {"title": title, "kind": "bars", "metric": metric, "series": series}
        return cls.model_validate(named | more)
