"""The tables of what kernels promise, what copies lose, where rates stay the same, efficiencies."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.analysis.node_roofline.levels import LEVELS
from heorot.model.analysis.node_roofline.shares import (
    Cause,
    Contention,
    Efficiency,
    KernelPrediction,
    LevelPlateau,
)
from heorot.model.run.identity import Key
from heorot.report.anchors import Anchors, Frame
from heorot.report.sections.node_roofline.cells import middle, middle_cell, program, word_problem
from heorot.report.tables import columns
from heorot.report.tables.table import Cell, Table, make_table
from heorot.report.wording import count, word_name
from heorot.units import NOTHING, format_binary, format_quantity

_CAUSES: dict[Cause, str] = {
    "bandwidth": "less bandwidth",
    "caches": "less cache",
    "waiting": "longer waits",
    "clock": "a lower clock",
}


def efficiency_table(efficiencies: Sequence[Efficiency], frame: Frame) -> Table:
    """The best rate of every program on every number of cores, and what that is of the peak."""
    anchors = frame.anchors
    fields: columns.Fields[Efficiency] = [
        *program(efficiencies, anchors),
        columns.whole("cores", lambda one: one.cores),
        columns.text("best region, problem", _word_best),
        middle("r_max", lambda one: one.rate, "flop/s", anchors),
        columns.quantity("of each core", lambda one: one.of_a_core, "flop/s"),
        columns.numbers(
            "of the peak",
            lambda one: _share(one, one.share_of_peak, anchors),
            "of the peak\tlow\thigh",
        ),
        columns.numbers(
            "nominal share",
            lambda one: _share(one, one.nominal_share, anchors),
            "nominal share\tlow\thigh",
        ),
    ]
    caption = "Best rate of every program over the peak of as many cores"
    laid = columns.lay_out(efficiencies, fields)
    return make_table("depth-efficiency", caption, *laid, frame.allowance, elsewhere=frame.export)


def _word_best(one: Efficiency) -> str:
    copies = count(one.copies, "copy") if one.copies else ""
    return word_problem(one.region, one.point, copies)


def _share(one: Efficiency, share: float | None, anchors: Anchors) -> Cell:
    """A share that the samples of the rate have in another unit, with their interval."""
    if share is None:
        return Cell(NOTHING, None, "muted", copied=f"{NOTHING}\t{NOTHING}\t{NOTHING}")
    return middle_cell(one.rate.scaled(share / one.rate.median), "%", anchors.rows.get(one.row))


def prediction_table(predictions: Sequence[KernelPrediction], frame: Frame) -> Table:
    """The speed of kernels, and that of the algorithms they make."""
    anchors = frame.anchors
    fields: columns.Fields[KernelPrediction] = [
        *program(predictions, anchors),
        columns.text("region, problem", lambda one: word_problem(one.region, one.point)),
        columns.text("kernels, with their parts of the flops and their rates", _word_kernels),
        middle("by its kernels", lambda one: one.predicted, "flop/s", anchors),
        middle("found", lambda one: one.found, "flop/s", anchors),
        middle("times as fast", lambda one: one.times, "", anchors),
    ]
    caption = "Speed by unblocked kernels, and the speed found"
    return make_table(
        "depth-promises", caption, *columns.lay_out(predictions, fields), frame.allowance
    )


def _word_kernels(one: KernelPrediction) -> str:
    return ", ".join(
        f"{part.kernel} {format_quantity(part.share, '%', 2)} at "
        f"{format_quantity(part.rate, 'flop/s')}"
        for part in one.parts
    )


def contention_table(contentions: Sequence[Contention], frame: Frame) -> Table:
    """What copies lose, the worst first, and the causes."""
    anchors = frame.anchors
    fields: columns.Fields[Contention] = [
        *program(contentions, anchors),
        columns.text("region, problem", lambda one: word_problem(one.region, one.point)),
        columns.whole("copies", lambda one: one.copies),
        middle("each loses", lambda one: one.lost, "%", anchors, "lost"),
        columns.text("resident in, alone and among others", _word_homes),
        columns.quantity("draws alone", lambda one: one.consumed, "B/s"),
        columns.quantity("could have", lambda one: one.part, "B/s"),
        columns.numbers("clock, alone → busy", _clocks, "clock alone [Hz]\tbusy"),
        columns.plain("what by itself would cost much of that", _causes),
    ]
    ordered = sorted(contentions, key=lambda one: -one.lost.median)
    return make_table(
        "depth-company",
        "What each copy loses while as many run at once, and what may explain it",
        *columns.lay_out(ordered, fields),
        frame.allowance,
        chosen="those that lose most",
        elsewhere=frame.export,
    )


def _word_homes(one: Contention) -> str:
    return " → ".join(dict.fromkeys(filter(None, (one.level_alone, one.level)))) or NOTHING


def _causes(one: Contention) -> Cell:
    """What explains a loss; where nothing is lost, nothing is the cause."""
    known = ", ".join(_CAUSES[cause] for cause in one.causes) or "nothing that was measured"
    return Cell(known) if one.is_loss else Cell(NOTHING, None, "muted")


def _clocks(one: Contention) -> Cell:
    """The clock of a core alone and while as many are busy; the sharpest fall sorts first."""
    if one.clock_alone is None or one.clock is None:
        return Cell(NOTHING, None, "muted", copied=f"{NOTHING}\t{NOTHING}")
    words = " → ".join(format_quantity(hz, "Hz") for hz in (one.clock_alone, one.clock))
    copied = f"{one.clock_alone:.6g}\t{one.clock:.6g}"
    return Cell(words, one.clock / one.clock_alone, copied=copied)


def plateau_table(level_plateaus: Sequence[LevelPlateau], frame: Frame) -> Table:
    """The value of every plateau, a column for each level."""
    anchors = frame.anchors
    firsts: dict[Key, LevelPlateau] = {}
    for one in level_plateaus:
        firsts.setdefault(one.key, one)
    found = {(one.key, one.level): one for one in level_plateaus}
    levels = [level for level in LEVELS if any(one.level == level for one in level_plateaus)]

    def at(level: str) -> columns.Field[LevelPlateau]:
        return columns.numbers(level, lambda one: _plateau(found.get((one.key, level)), anchors))

    fields: columns.Fields[LevelPlateau] = [
        *program(level_plateaus, anchors),
        columns.text(
            "region, case",
            lambda one: word_problem(one.region, one.point, word_name(one.case)),
        ),
        columns.text("what", lambda one: word_name(one.metric)),
        *map(at, levels),
    ]
    caption = "Plateaus of sweeps over the working set, by level, with where they begin and end"
    laid = columns.lay_out(firsts.values(), fields)
    table = make_table("depth-plateaus", caption, *laid, frame.allowance, elsewhere=frame.export)
    return table.narrow()


def _plateau(one: LevelPlateau | None, anchors: Anchors) -> Cell:
    if one is None:
        return Cell(NOTHING, None, "muted")
    row = anchors.rows.get(one.row)
    value = format_quantity(one.value, row.unit if row else "")
    ends = f"{format_binary(one.low_bytes)} to {format_binary(one.high_bytes)}"
    return Cell(f"{value}\n{ends}", one.value)
