"""A small comparison of runs that differ in compiler and flags, one of them perturbed."""

from __future__ import annotations

from heorot.model.analysis.comparison import Comparison, Difference, Uncompared
from heorot.model.run.identity import Key, Setup
from tests.unit.report.sample_statements import make_comparison

EIGHT_BYTES = 8


def make_marked_comparison() -> Comparison:
    """The synthetic comparison with a perturbed memory/stream and another compiler."""
    plain = make_comparison(2)
    metrics = [
        metric.model_copy(
            update={
                "disturbed": ("B",) if metric.benchmark == "memory/stream" else (),
                "differs": ("compiler", "flags"),
            }
        )
        for metric in plain.metrics
        # Few enough that no table shows an excerpt only.
        if metric.benchmark == "memory/stream" or metric.point.get("bytes") == EIGHT_BYTES
    ]
    groups = [
        group.model_copy(update={"n_disturbed": group.n if group.name == "memory/stream" else 0})
        for group in plain.groups
    ]
    return plain.model_copy(
        update={
            "metrics": tuple(metrics),
            "groups": tuple(groups),
            "differences": (
                Difference(what="compiler", a="GNU 12.2.0", b="GNU 13.1.0", n=len(metrics)),
                Difference(what="flags", a="-O3 -march=native", b="-O2 <b>", n=len(metrics)),
            ),
            "uncompared": (
                Uncompared(why="only in B", key=_key("W_all"), metric="rate"),
                Uncompared(why="only in B", key=_key("A_all"), metric="rate"),
                Uncompared(
                    why="not the same work", key=_key("B"), metric="rate", detail="operations 1 / 2"
                ),
            ),
        }
    )


def make_untested_comparison() -> Comparison:
    """The synthetic comparison, of whose second side no interval is known."""
    plain = make_comparison(2)
    unknown = {
        "b_low": None,
        "b_high": None,
        "ratio_low": None,
        "ratio_high": None,
        "p_value": None,
        "effect_size": None,
        "verdict": "untested",
        "lacks": "interval of B unknown; a note [/] of <i>a user</i>",
    }
    metrics = [
        metric.model_copy(update=unknown)
        for metric in plain.metrics
        if metric.benchmark == "memory/stream"
    ]
    return plain.model_copy(
        update={
            "metrics": tuple(metrics),
            "groups": (),
            "courses": (),
            "remarks": ("B: source <b> of [bold]1994[/]",),
        }
    )


def _key(case: str) -> Key:
    return Key(Setup("npb/ep", case, "gnu-12", ranks=8, per_node=8), "ep")
