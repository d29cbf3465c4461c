"""Figures common to several programs of the family."""

from __future__ import annotations

from functools import partial

from heorot.model.catalogue.figure import Figure

# Curves over the size of messages.
over_sizes = partial(
    Figure.curve, x="bytes", x_label="message size [B]", series=("toolchain", "region", "layout")
)
# Curves over the ranks in a node, if there are at least two numbers of them.
over_ranks = partial(Figure.curve, x="cores", x_label="ranks", kind="inside", least_values=2)


def winners(title: str, metric: str, regions: tuple[str, ...]) -> Figure:
    """The best toolchain at every size of messages."""
    return Figure(
        title=title,
        kind="winners",
        metric=metric,
        regions=regions,
        x="bytes",
        x_label="message size [B]",
    )
