"""The tables of what kernels promise, what copies lose, and where rates stay the same."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.analysis.depth.levels import LEVELS
from heorot.model.analysis.depth.shares import Cause, Contention, Promise, Stretch
from heorot.model.run.identity import Key
from heorot.report.anchors import Anchors
from heorot.report.sections.depth.cells import (
    middle_cell,
    number_cell,
    several_toolchains,
    word_problem,
)
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.report.wording import word_name
from heorot.units import NOTHING, format_binary, format_quantity

_CAUSES: dict[Cause, str] = {
    "bandwidth": "less bandwidth",
    "caches": "less cache",
    "waiting": "longer waits",
    "clock": "a lower clock",
}


def promise_table(promises: Sequence[Promise], anchors: Anchors, allowance: Allowance) -> Table:
    """The speed of kernels, and that of the algorithms they make."""
    several = several_toolchains(promises)
    columns = [
        Column("program"),
        *([Column("toolchain")] if several else []),
        Column("region, problem"),
        Column("kernels, with their parts of the flops and their rates"),
        Column("by its kernels", numeric=True, copied="by its kernels [flop/s]\tlow\thigh"),
        Column("found", numeric=True, copied="found [flop/s]\tlow\thigh"),
        Column("times as fast", numeric=True, copied="times as fast\tlow\thigh"),
    ]
    rows = [
        Row(
            (
                Cell(one.benchmark, target=anchors.ids.get(one.row, "")),
                *([Cell(str(one.stack))] if several else []),
                Cell(word_problem(one.region, one.point)),
                Cell(
                    ", ".join(
                        f"{part.kernel} {format_quantity(part.share, '%', 2)} at "
                        f"{format_quantity(part.rate, 'flop/s')}"
                        for part in one.parts
                    )
                ),
                middle_cell(one.promised, "flop/s", anchors.rows.get(one.row)),
                middle_cell(one.found, "flop/s", anchors.rows.get(one.row)),
                middle_cell(one.times, "", anchors.rows.get(one.row)),
            )
        )
        for one in promises
    ]
    caption = "Speed by unblocked kernels, and the speed found"
    return make_table("depth-promises", caption, columns, rows, allowance)


def company_table(
    contentions: Sequence[Contention], anchors: Anchors, allowance: Allowance, export: str
) -> Table:
    """What copies lose, the worst first, and the causes."""
    several = several_toolchains(contentions)
    columns = [
        Column("program"),
        *([Column("toolchain")] if several else []),
        Column("region, problem"),
        Column("copies", numeric=True),
        Column("each loses", numeric=True, copied="lost\tlow\thigh"),
        Column("resident in, alone and among others"),
        Column("draws alone", numeric=True, copied="draws alone [B/s]"),
        Column("could have", numeric=True, copied="could have [B/s]"),
        Column("clock, alone → busy", numeric=True, copied="clock alone [Hz]\tbusy"),
        Column("what by itself would cost much of that"),
    ]
    ordered = sorted(contentions, key=lambda one: -one.lost.median)
    rows = [_company_row(one, anchors, several=several) for one in ordered]
    return make_table(
        "depth-company",
        "What each copy loses while as many run at once, and what may explain it",
        columns,
        rows,
        allowance,
        chosen="those that lose most",
        elsewhere=export,
    )


def _company_row(one: Contention, anchors: Anchors, *, several: bool) -> Row:
    homes = " → ".join(dict.fromkeys(filter(None, (one.level_alone, one.level)))) or NOTHING
    known = ", ".join(_CAUSES[cause] for cause in one.causes) or "nothing that was measured"
    cells = (
        Cell(one.benchmark, target=anchors.ids.get(one.row, "")),
        *([Cell(str(one.stack))] if several else []),
        Cell(word_problem(one.region, one.point)),
        Cell(str(one.copies), one.copies),
        middle_cell(one.lost, "%", anchors.rows.get(one.row)),
        Cell(homes),
        number_cell(one.drawn, "B/s"),
        number_cell(one.part, "B/s"),
        _clocks(one),
        # Where nothing is lost, nothing is the cause.
        Cell(known) if one.is_loss else Cell(NOTHING, None, "muted"),
    )
    return Row(cells)


def _clocks(one: Contention) -> Cell:
    """The clock of a core alone and while as many are busy; the sharpest fall sorts first."""
    if one.clock_alone is None or one.clock is None:
        return Cell(NOTHING, None, "muted", copied=f"{NOTHING}\t{NOTHING}")
    words = " → ".join(format_quantity(hz, "Hz") for hz in (one.clock_alone, one.clock))
    copied = f"{one.clock_alone:.6g}\t{one.clock:.6g}"
    return Cell(words, one.clock / one.clock_alone, copied=copied)


def plateau_table(
    stretches: Sequence[Stretch], anchors: Anchors, allowance: Allowance, export: str
) -> Table:
    """The value of every plateau, a column for each level."""
    sweeps: dict[Key, list[Stretch]] = {}
    for one in stretches:
        sweeps.setdefault(one.key, []).append(one)
    levels = [level for level in LEVELS if any(one.level == level for one in stretches)]
    several = several_toolchains(stretches)
    columns = [
        Column("program"),
        *([Column("toolchain")] if several else []),
        Column("region, case"),
        Column("what"),
        *(Column(level, numeric=True) for level in levels),
    ]
    rows = []
    for members in sweeps.values():
        first, of = members[0], {one.level: one for one in members}
        cells = (
            Cell(first.benchmark, target=anchors.ids.get(first.row, "")),
            *([Cell(str(first.stack))] if several else []),
            Cell(word_problem(first.region, first.point, word_name(first.case))),
            Cell(word_name(first.metric)),
            *(_stretch(of.get(level), anchors) for level in levels),
        )
        rows.append(Row(cells))
    caption = "Plateaus of sweeps over the working set, by level, with where they begin and end"
    return make_table("depth-plateaus", caption, columns, rows, allowance, elsewhere=export)


def _stretch(one: Stretch | None, anchors: Anchors) -> Cell:
    if one is None:
        return Cell(NOTHING, None, "muted")
    row = anchors.rows.get(one.row)
    value = format_quantity(one.value, row.unit if row else "")
    ends = f"{format_binary(one.low_bytes)} to {format_binary(one.high_bytes)}"
    return Cell(f"{value}\n{ends}", one.value)
