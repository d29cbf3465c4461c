"""The tables of questions: which are answered, what each program answers, what is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from heorot.model.analysis.claims import Quantity
from heorot.model.analysis.studies.answers import (
    RANGES,
    Answer,
    AnswerLine,
    Cause,
    Gap,
    SizeChange,
    SizeChanges,
)
from heorot.model.run.experiment import ASKED, Question, budget_option
from heorot.report.tables import columns
from heorot.report.tables.table import Allowance, Cell, Table, make_table
from heorot.report.wording import count, format_coordinate, split_interval, word_name
from heorot.units import NOTHING

_T = TypeVar("_T")

_VALUES: Mapping[Question, str] = {
    "cores": "times as fast",
    "nodes": "times as fast",
    "copies": "lost",
}
_TIME = "times as long"
_KEPT = "of the speed per core"
_LEAST_FIRST = {"cores", "nodes"}
_SPARE = ("communication", "messages, times as long", "against", "over")
_ENDS = "ci_low\tci_high"


def overview_table(
    answers: Sequence[Answer], places: Mapping[Question, str], allowance: Allowance
) -> Table:
    """How many programs answer each question, and what has all of it.

    Args:
        places: where the answers stand in the page, of those that do.
    """

    def question(one: Answer) -> Cell:
        return Cell(ASKED[one.question], target=places.get(one.question, ""))

    def failed(one: Answer) -> Cell:
        n = len(one.failed)
        return Cell(str(n), n, "bad" if n else "")

    fields: columns.Fields[Answer] = (
        columns.plain("question", question),
        columns.whole("answered", lambda one: one.n_answered),
        columns.whole("left open", lambda one: len(one.open)),
        columns.numbers("failed", failed),
        columns.text("all of it with", lambda one: _word_budget(one.budget_seconds), "mono"),
    )
    caption = "All questions"
    return make_table("question-overview", caption, *columns.lay_out(answers, fields), allowance)


def in_short(answer: Answer) -> str:
    """How many programs answer a question, and the worst of them, for a heading."""
    lines = answer.lines or answer.growing
    if not lines:
        return ""
    worst, is_rate = lines[0], answer.question in _LEAST_FIRST
    value, interval = (cell.text for cell in _cells(worst.value))
    what = _VALUES.get(answer.question, _TIME) if answer.lines else _KEPT
    most = "least" if is_rate else "most"
    return f"{count(len(lines), 'program')}; {most} {value} {interval} {what}, {worst.problem}"


def line_table(answer: Answer, allowance: Allowance) -> Table:
    """What each program answers."""
    title = _VALUES.get(answer.question, _TIME)
    scales = any(one.efficiency for one in answer.lines)
    fields: columns.Fields[AnswerLine] = (
        columns.text("program", lambda one: one.problem),
        columns.text("on", lambda one: one.layout),
        columns.text("against", lambda one: one.base),
        *_valued(title, lambda one: one.value),
        *_valued("efficiency", lambda one: one.efficiency, scales),
        columns.text("cause", _word_cause) if scales else None,
        *_cause(answer),
    )
    caption = f"{ASKED[answer.question]} Each program, the worst first"
    laid = columns.lay_out(answer.lines, fields)
    return make_table(f"t-{answer.question}", caption, *laid, allowance).narrow(_SPARE)


def growing_table(answer: Answer, allowance: Allowance) -> Table:
    """What programs keep of their speed per core as their problems grow with the cores."""
    fields: columns.Fields[AnswerLine] = (
        columns.text("program", lambda one: one.problem),
        columns.text("on", lambda one: one.layout),
        columns.text("against", lambda one: one.base),
        *_valued(_KEPT, lambda one: one.value),
    )
    caption = "Problems that grow with the cores: what is kept of the speed per core, least first"
    laid = columns.lay_out(answer.growing, fields)
    return make_table(f"t-{answer.question}-growing", caption, *laid, allowance)


def place_table(answer: Answer, allowance: Allowance) -> Table:
    """By how much more time as many ranks take in each layout, with the cause where it is known."""
    names = {
        (place.threads, place.nodes * place.per_node, place.nodes, place.name)
        for one in answer.lines
        for place in one.places
    }
    networks = any(one.network for one in answer.lines)
    fields: columns.Fields[AnswerLine] = (
        columns.text("program", lambda one: one.problem),
        columns.text("over", lambda one: one.network or NOTHING) if networks else None,
        *(columns.numbers(name, partial(_place_cell, name)) for *_, name in sorted(names)),
        columns.text("cause", _word_cause),
        *_cause(answer),
    )
    caption = (
        f"{ASKED[answer.question]} Change of the time, the largest first; 16x4 are 16 nodes with "
        "4 ranks on each"
    )
    laid = columns.lay_out(answer.lines, fields)
    return make_table(f"t-{answer.question}", caption, *laid, allowance).narrow(_SPARE)


def _place_cell(name: str, one: AnswerLine) -> Cell:
    """The change of the time in a layout with its interval; or the base of comparison."""
    place = next((place for place in one.places if place.name == name), None)
    if place is None:
        return Cell(NOTHING, tone="muted")
    if place.change is None:
        return Cell("compared with", tone="muted")
    return Cell(" ".join(_signed(place.change)), place.change.median)


def _word_cause(one: AnswerLine) -> str:
    """The cause of the change or of poor scaling; unknown without a measurement of it."""
    known = [claim.text for claim in one.reasons]
    if not (known or one.needs_cause):
        return NOTHING
    slow = one.cause is not None and (one.cause.times.low or 0.0) > 1.0
    if not known and slow and one.value.median > 1.0 and one.cause:
        known = [f"messages: {one.cause.name}"]
    return "; ".join(known) or "unknown"


def _valued(
    title: str, value: Callable[[AnswerLine], Quantity | None], known: bool = True
) -> tuple[columns.Field[AnswerLine] | None, columns.Field[AnswerLine] | None]:
    """The columns of a quantity and of its interval; None if no line has it."""
    if not known:
        return None, None
    return (
        columns.numbers(title, lambda one: _cells(value(one))[0]),
        columns.numbers("95 % interval", lambda one: _cells(value(one))[1], _ENDS),
    )


def _cells(one: Quantity | None) -> tuple[Cell, Cell]:
    """A quantity and its interval."""
    if one is None:
        return Cell(NOTHING, tone="muted"), Cell(NOTHING, tone="muted")
    value, ends = split_interval(one.median, one.low, one.high, one.unit, one.launches)
    copied = (
        f"{one.low:.6g}\t{one.high:.6g}" if one.low is not None and one.high is not None else ""
    )
    return Cell(value, one.median), Cell(ends, copied=copied)


def _cause(answer: Answer) -> columns.Fields[AnswerLine]:
    """What messages take by what each program depends on, if that was measured of any."""
    if not any(one.cause for one in answer.lines):
        return ()

    def of(title: str, get: Callable[[Cause], Quantity | None]) -> columns.Field[AnswerLine]:
        return columns.numbers(
            title, lambda one: _whole(get(one.cause) if one.cause else None), f"{title}\t{_ENDS}"
        )

    return (
        columns.text("depends on", lambda one: one.cause.name if one.cause else NOTHING),
        of("messages, times as long", lambda cause: cause.times),
        of("communication", lambda cause: cause.share),
        of("expected, times as long", lambda cause: cause.expected),
    )


def _whole(one: Quantity | None) -> Cell:
    """A quantity with its interval in one cell."""
    value, ends = _cells(one)
    if value.number is None:
        return value
    copied = f"{value.number:.6g}\t{ends.copied}"
    return Cell(f"{value.text} {ends.text}", value.number, copied=copied)


def range_table(answer: Answer, allowance: Allowance) -> Table:
    """The largest change of the time of messages in each range of sizes."""

    def largest(number: int) -> Callable[[SizeChanges], Cell]:
        def cell(one: SizeChanges) -> Cell:
            found = one.largest(number)
            if found is None:
                return Cell(NOTHING, tone="muted")
            value, ends = _signed(found.change)
            at = format_coordinate("bytes", found.bytes)
            return Cell(f"{value} {ends} at {at}", found.change.median)

        return cell

    fields: columns.Fields[SizeChanges] = (
        *_places(lambda one: one),
        *(columns.numbers(name, largest(number)) for number, (name, _) in enumerate(RANGES)),
    )
    caption = "Messages: the largest change of their time in each range of sizes"
    laid = columns.lay_out(answer.sizes, fields)
    return make_table(f"t-{answer.question}-ranges", caption, *laid, allowance, folded=True)


def size_table(answer: Answer, allowance: Allowance) -> Table:
    """The change of the time of messages of each size."""

    def of(pair: tuple[SizeChanges, SizeChange]) -> SizeChanges:
        return pair[0]

    every = [(one, change) for one in answer.sizes for change in one.changes]
    fields: columns.Fields[tuple[SizeChanges, SizeChange]] = (
        *_places(of),
        columns.numbers(
            "size",
            lambda pair: Cell(format_coordinate("bytes", pair[1].bytes), pair[1].bytes),
            "size [B]",
        ),
        columns.numbers(
            "change of time", lambda pair: Cell(_signed(pair[1].change)[0], pair[1].change.median)
        ),
        columns.numbers("95 % interval", lambda pair: _cells(pair[1].change)[1], _ENDS),
    )
    caption = "Messages: the change of their time at each size"
    laid = columns.lay_out(every[: allowance.most_needed(len(every))], fields)
    return make_table(
        f"t-{answer.question}-sizes", caption, *laid, allowance, folded=True, n_rows=len(every)
    )


def _places(get: Callable[[_T], SizeChanges]) -> tuple[columns.Field[_T], ...]:
    """The columns that identify messages.

    Args:
        get: the messages of a row.
    """
    return (
        columns.text("program", lambda one: get(one).benchmark),
        columns.text("operation", lambda one: word_name(get(one).region)),
        columns.text("on", lambda one: get(one).layout),
        columns.text("against", lambda one: get(one).base),
    )


def _signed(change: Quantity) -> tuple[str, str]:
    """A change with its sign, and its interval."""
    value, ends = (cell.text for cell in _cells(change))
    return f"{'+' if change.median > 0.0 else ''}{value}", ends


def gap_table(answers: Sequence[Answer], allowance: Allowance) -> Table:
    """What the plan left open with the budget that has it, and what failed and why."""
    every = [(one.question, gap) for one in answers for gap in (*one.failed, *one.open)]
    fields: columns.Fields[tuple[Question, Gap]] = (
        columns.text("question", lambda pair: ASKED[pair[0]]),
        columns.text("program", lambda pair: pair[1].benchmark),
        columns.text("compared", lambda pair: "; ".join(dict.fromkeys(pair[1].layouts))),
        columns.plain(
            "became",
            lambda pair: Cell(pair[1].reason or "left open", tone="bad" if pair[1].reason else ""),
        ),
        columns.text("with", lambda pair: _word_budget(pair[1].budget_seconds), "mono"),
    )
    caption = "Questions without an answer, and the budget that has it"
    laid = columns.lay_out(every[: allowance.most_needed(len(every))], fields)
    return make_table("question-gaps", caption, *laid, allowance, folded=True, n_rows=len(every))


def _word_budget(seconds: float) -> str:
    return budget_option(seconds) if seconds else NOTHING
