"""The table of what processors worked for the launches of a program, a row for each case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heorot.model.analysis.processor_time import (
    PROCESSOR_METRICS,
    SYSTEM_SHARE,
    SYSTEM_TIME,
    USER_SPEEDUP,
    USER_TIME,
    WHOLE_RUN,
)
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Setup
from heorot.report.anchors import Anchors, Frame
from heorot.report.tables.table import Cell, Column, Row, Table, make_table
from heorot.report.wording import split_result, word_row_layout

_TITLES = {
    USER_TIME: "in the program",
    SYSTEM_TIME: "in the system",
    SYSTEM_SHARE: "share of the system",
    USER_SPEEDUP: "user speedup",
}


def is_processor_time(row: Result) -> bool:
    """Whether a row belongs into this table rather than among the results of its program."""
    return row.region == WHOLE_RUN and row.metric in PROCESSOR_METRICS


def processor_tables(
    identifier: str, title: str, results: Sequence[Result], frame: Frame
) -> tuple[Table, ...]:
    """The table; none if there are no such rows."""
    anchors = frame.anchors
    cases: dict[Setup, dict[str, Result]] = {}
    for row in results:
        cases.setdefault(row.setup, {})[row.metric] = row
    if not cases:
        return ()
    present = [name for name in PROCESSOR_METRICS if any(name in one for one in cases.values())]
    several = len({setup.stack for setup in cases}) > 1
    columns = [Column("case"), Column("layout"), *([Column("toolchain")] if several else [])]
    columns += [
        Column(_TITLES[name], numeric=True, copied=f"{name}\tci_low\tci_high") for name in present
    ]
    rows = {key: _row(one, present, anchors, several=several) for key, one in cases.items()}

    def excerpt(most: int) -> list[Row]:
        """The cases that statements link to, then the first ones, in their order."""
        cited = [key for key in rows if any(row.id in anchors.cited for row in cases[key].values())]
        chosen = set(list(dict.fromkeys((*cited, *rows)))[:most])
        return [row for key, row in rows.items() if key in chosen]

    table = make_table(
        f"{identifier}-processor",
        f"{title}: processor time of a launch, all ranks together, with its 95 % interval",
        columns,
        list(rows.values()),
        frame.allowance,
        excerpt=excerpt,
        chosen="those that statements rest on, and the first ones",
        elsewhere=frame.export,
        folded=True,
    )
    return (table,)


def _row(
    one: Mapping[str, Result], present: Sequence[str], anchors: Anchors, *, several: bool
) -> Row:
    """The rows of one case side by side."""
    case = next(iter(one.values()))
    cells = [Cell(case.case), Cell(word_row_layout(case))]
    cells += [Cell(str(case.stack))] if several else []
    cells += [_cell(one.get(name), anchors) for name in present]
    return Row(tuple(cells), tone="" if case.ranked else "bad")


def _cell(row: Result | None, anchors: Anchors) -> Cell:
    if row is None:
        return Cell("\N{EN DASH}", None, "muted")
    text = " ".join(split_result(row))
    copied = f"{row.median:.6g}\t{row.ci_low:.6g}\t{row.ci_high:.6g}"
    tone = "" if row.ranked else "struck"
    return Cell(text, row.median, tone, copied=copied, id=anchors.place(row))
