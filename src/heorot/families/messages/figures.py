"""Figures that several programs of the family have alike."""

from __future__ import annotations

from heorot.model.catalogue.figure import Figure


def over_sizes(
    title: str,
    metric: str,
    *,
    x_label: str = "message size [B]",
    regions: tuple[str, ...] = (),
    series: tuple[str, ...] = ("toolchain", "region", "layout"),
    least_values: int = 1,
    log_y: bool = True,
) -> Figure:
    """Curves over the size of messages, on a logarithmic axis.

    Args:
        x_label: what the size is of, with its unit.
        regions: those drawn; empty means all.
        least_values: fewer sizes are not worth a figure.
        log_y: whether the axis of the metric is logarithmic too.
    """
    return Figure(
        title=title,
        kind="curve",
        metric=metric,
        regions=regions,
        x="bytes",
        x_label=x_label,
        least_values=least_values,
        series=series,
        log_x=True,
        log_y=log_y,
    )


def over_ranks(
    title: str,
    metric: str,
    *,
    series: tuple[str, ...],
    regions: tuple[str, ...] = (),
    panels: tuple[str, ...] = (),
    log_y: bool = True,
) -> Figure:
    """Curves over the ranks in a node, on a logarithmic axis, if there are two numbers at least.

    Args:
        regions: those drawn; empty means all.
        log_y: whether the axis of the metric is logarithmic too.
    """
    return Figure(
        title=title,
        kind="inside",
        metric=metric,
        regions=regions,
        x="cores",
        x_label="ranks",
        least_values=2,
        series=series,
        panels=panels,
        log_x=True,
        log_y=log_y,
    )


def winners(title: str, metric: str, regions: tuple[str, ...]) -> Figure:
    """Which toolchain is the best at every size of messages."""
    return Figure(
        title=title,
        kind="winners",
        metric=metric,
        regions=regions,
        x="bytes",
        x_label="message size [B]",
    )
