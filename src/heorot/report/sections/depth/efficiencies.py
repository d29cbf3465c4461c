"""The table of how much of the peak every program makes use of, by cores."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.analysis.depth.efficiencies import Efficiency
from heorot.report.anchors import Anchors
from heorot.report.sections.depth.cells import (
    middle_cell,
    number_cell,
    several_toolchains,
    word_problem,
)
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.report.wording import count
from heorot.units import NOTHING


def efficiency_table(
    efficiencies: Sequence[Efficiency], anchors: Anchors, allowance: Allowance, export: str
) -> Table:
    """The best rate of every program on every number of cores, and what that is of the peak."""
    several = several_toolchains(efficiencies)
    columns = [
        Column("program"),
        *([Column("toolchain")] if several else []),
        Column("cores", numeric=True),
        Column("best region, problem"),
        Column("r_max", numeric=True, copied="r_max [flop/s]\tlow\thigh"),
        Column("of each core", numeric=True, copied="of each core [flop/s]"),
        Column("of the peak", numeric=True, copied="of the peak\tlow\thigh"),
        Column("nominal share", numeric=True, copied="nominal share\tlow\thigh"),
    ]
    rows = [
        Row(
            (
                Cell(one.benchmark, target=anchors.ids.get(one.row, "")),
                *([Cell(str(one.stack))] if several else []),
                Cell(str(one.cores), one.cores),
                Cell(word_problem(one.region, one.point, _word_copies(one))),
                middle_cell(one.rate, "flop/s", anchors.rows.get(one.row)),
                number_cell(one.of_a_core, "flop/s"),
                _share(one, one.share_of_peak, anchors),
                _share(one, one.nominal_share, anchors),
            )
        )
        for one in efficiencies
    ]
    caption = "Best rate of every program over the peak of as many cores"
    return make_table("depth-efficiency", caption, columns, rows, allowance, elsewhere=export)


def _share(one: Efficiency, share: float | None, anchors: Anchors) -> Cell:
    """A share that the samples of the rate have in another unit, with their interval."""
    if share is None:
        return Cell(NOTHING, None, "muted", copied=f"{NOTHING}\t{NOTHING}\t{NOTHING}")
    return middle_cell(one.rate.scaled(share / one.rate.median), "%", anchors.rows.get(one.row))


def _word_copies(one: Efficiency) -> str:
    return count(one.copies, "copy") if one.copies else ""
