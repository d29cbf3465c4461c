"""Shares above all of a bound: what was taken for a bound is none, and that is a fault of Heorot.

No such share is told anywhere. All of them together are one finding, with the rows as evidence; a
reason is not guessed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from heorot.model.analysis.depth.levels import MOST_SHARE, SHARES_OF_BOUNDS
from heorot.model.analysis.result import Finding, Result
from heorot.model.analysis.rows import Rows
from heorot.units import format_quantity, plural

_MOST_EVIDENCE = 6
_MOST_ROWS = 40
_COLUMNS = ("program", "case", "region", "problem", "share", "value", "times the bound")


@dataclass(frozen=True)
class Passing:
    """A result that passes what was taken for its bound.

    Attributes:
        row: the result; of a row that was nothing but such a share, one of the same samples.
        what: of which the share is.
        share: of the bound [1].
    """

    row: Result
    what: str
    share: float


def withhold(rows: Rows) -> list[Passing]:
    """Takes shares above all of a bound, with some slack, out of the rows.

    Args:
        rows: all of them, judged; those that are such shares are dropped, of others the share of
            their ceiling goes.

    Returns:
        What they were of, and values that cannot be.
    """
    shares = [row for row in rows if row.metric in SHARES_OF_BOUNDS and row.median > MOST_SHARE]
    others = [
        row for row in rows if (row.share_of_ceiling or 0.0) > MOST_SHARE or row.plausible is False
    ]
    rows.replace(row.model_copy(update={"share_of_ceiling": None}) for row in others)
    rows.drop({row.key for row in shares})
    measured = {_place(row): row for row in rows if not row.derived}
    return [
        # What is derived from a row has its share: it is no second case.
        *(
            Passing(row, row.metric, row.share_of_ceiling or 0.0)
            for row in others
            if not row.derived
        ),
        *(Passing(measured.get(_place(row), row), row.metric, row.median) for row in shares),
    ]


def find_excess(passing: Sequence[Passing], told: Collection[str] = ()) -> list[Finding]:
    """One finding about all results that pass what was taken for their bound.

    Args:
        passing: these results.
        told: keys of rows that another finding tells of.
    """
    own = [one for one in passing if one.row.key not in told]
    own.sort(key=lambda one: -one.share)
    if not own:
        return []
    refused = [one for one in own if one.row.plausible is False]
    withheld = f", and {plural(len(refused), 'value')} with them" if refused else ""
    return [
        Finding(
            observation=(
                f"Heorot's model is wrong for {plural(len(own), 'result')}: the bound of each is "
                f"passed by more than {format_quantity(MOST_SHARE - 1.0, '%', 1)}, the first by a "
                f"factor of {format_quantity(own[0].share)}. These shares are withheld{withheld}"
            ),
            severity="error" if refused else "warning",
            evidence=tuple(dict.fromkeys(one.row.key for one in own))[:_MOST_EVIDENCE],
            affected=tuple(dict.fromkeys(one.row.benchmark for one in own)),
            remedy="please report it with this run: a bound, a count or a timer of Heorot is wrong",
            columns=_COLUMNS,
            rows=tuple(_words(one) for one in own[:_MOST_ROWS]),
        )
    ]


def _place(row: Result) -> tuple[str, ...]:
    layout = (row.nodes, row.ranks, row.threads)
    return row.benchmark, row.case, row.toolchain, row.region, str(row.point), str(layout)


def _words(one: Passing) -> tuple[str, ...]:
    row = one.row
    problem = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in row.point.items())
    what = one.what if one.what in SHARES_OF_BOUNDS else f"{one.what} of its ceiling"
    value = format_quantity(row.median, row.unit)
    times = format_quantity(one.share)
    return row.benchmark, row.case, row.region, problem, what.replace("_", " "), value, times
