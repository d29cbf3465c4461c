"""The tables behind the stacked figures: shares of every case, and its phases."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.analysis.breakdown import Breakdown, Middle, PhaseTimes
from heorot.report.anchors import Frame
from heorot.report.figures.stacks import in_order, name_bars
from heorot.report.tables.table import Cell, Column, Row, Table, make_table
from heorot.report.wording import count, split_beside, word_name
from heorot.units import format_quantity


def breakdown_tables(
    identifier: str, title: str, breakdowns: Sequence[Breakdown], frame: Frame
) -> tuple[Table, ...]:
    """A table of the shares and one of the phases; none of no breakdowns."""
    if not breakdowns:
        return ()
    ordered = in_order(breakdowns)
    middle, named = _named(ordered)
    shares = make_table(
        f"{identifier}-shares",
        f"{title}: where the time of a body goes, {middle}",
        [
            Column("case"),
            Column("body", numeric=True, copied="seconds\tlow\thigh"),
            Column("computing", numeric=True, copied="computation\tlow\thigh"),
            Column("waiting for the slowest", numeric=True, copied="imbalance\tlow\thigh"),
            Column("communicating", numeric=True, copied="communication\tlow\thigh"),
            Column("load balance", numeric=True, copied="load_balance\tlow\thigh"),
        ],
        [_share_row(name, one) for name, one in named],
        frame.allowance,
        elsewhere=frame.export,
    )
    phases = make_table(
        f"{identifier}-phases",
        f"{title}: phases of a body, mean and largest of the ranks, {middle}",
        [
            Column("case"),
            Column("phase"),
            Column("computing, mean", numeric=True, copied="computation\tlow\thigh"),
            Column("slowest rank", numeric=True, copied="computation_most\tlow\thigh"),
            Column("communicating, mean", numeric=True, copied="communication\tlow\thigh"),
            Column("longest rank", numeric=True, copied="communication_most\tlow\thigh"),
            Column("messages", numeric=True),
            Column("sent", numeric=True),
            Column("collective calls", numeric=True),
        ],
        [_phase_row(name, one, phase) for name, one in named for phase in one.phases],
        frame.allowance,
        folded=True,
    )
    return shares, phases


def _named(ordered: Sequence[Breakdown]) -> tuple[str, list[tuple[str, Breakdown]]]:
    """A caption, and a name for each median: launches in the caption, or in each name."""
    named = list(zip(name_bars(ordered), ordered, strict=True))
    numbers = {one.n_launches for one in ordered}
    if len(numbers) == 1:
        return f"median of {count(numbers.pop(), 'launch')} [smallest…largest]", named
    beside = [(f"{name}, {count(one.n_launches, 'launch')}", one) for name, one in named]
    return "median of launches [smallest…largest]", beside


def _share_row(name: str, one: Breakdown) -> Row:
    n = one.n_launches
    cells = [Cell(_marked(name, one)), _cell(one.seconds, "s", n)]
    cells += [_cell(share, "1", n) for share in one.shares]
    cells.append(_cell(one.load_balance, "1", n))
    return Row(tuple(cells), tone="" if one.verified == "passed" else "bad")


def _phase_row(name: str, one: Breakdown, phase: PhaseTimes) -> Row:
    kinds = (
        phase.computation,
        phase.computation_most,
        phase.communication,
        phase.communication_most,
    )
    cells = [Cell(_marked(name, one)), Cell(word_name(phase.name))]
    cells += [_cell(kind, "s", one.n_launches) for kind in kinds]
    cells += [
        Cell(f"{phase.messages:.6g}", phase.messages),
        Cell(format_quantity(phase.bytes, "B"), phase.bytes),
        Cell(f"{phase.collectives:.6g}", phase.collectives),
    ]
    return Row(tuple(cells), tone="" if one.verified == "passed" else "bad")


def _marked(name: str, one: Breakdown) -> str:
    marks = [name]
    marks += ["perturbed"] if one.disturbed else []
    marks += ["check failed"] if one.verified != "passed" else []
    return ", ".join(marks)


def _cell(value: Middle, unit: str, launches: int) -> Cell:
    text = " ".join(split_beside(value.median, value.low, value.high, unit, launches))
    copied = f"{value.median:.6g}\t{value.low:.6g}\t{value.high:.6g}"
    return Cell(text, value.median, copied=copied)
