"""Contradictions, failures, skipped cases and perturbed launches, as tables and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from heorot.model.analysis.result import CrossCheck, Finding, Result
from heorot.model.evaluation import Evaluation
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.report.anchors import Frame, step_anchor
from heorot.report.sections.steps import Ending, Skipped, find_dropped, find_skipped, pair_endings
from heorot.report.tables import columns
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.report.wording import count, word_point, word_result
from heorot.units import NOTHING, format_quantity

_MOST_OPEN = 3


def cross_check_table(evaluation: Evaluation, allowance: Allowance) -> Table:
    """Quantities measured in two ways."""

    def way(check: CrossCheck, value: float, name: str) -> Cell:
        return Cell(f"{format_quantity(value, check.unit)} ({name})", value)

    fields: columns.Fields[CrossCheck] = (
        columns.text("quantity", lambda one: one.quantity),
        columns.numbers("one way", lambda one: way(one, one.first, one.first_name)),
        columns.numbers("another way", lambda one: way(one, one.second, one.second_name)),
        columns.numbers("ratio", lambda one: Cell(f"{one.ratio:.3f}", one.ratio)),
        columns.numbers(
            "allowed",
            lambda one: Cell(f"{1 / one.allowed:.3f}–{one.allowed:.3f}", one.allowed, "muted"),
        ),
        columns.plain(
            "verdict",
            lambda one: Cell("agree", tone="good") if one.agrees else Cell("disagree", tone="bad"),
        ),
    )
    caption = "All pairs"
    laid = columns.lay_out(evaluation.analysis.cross_checks, fields)
    return make_table("cross-checks", caption, *laid, allowance)


def marked_table(results: Sequence[Result], frame: Frame) -> Table:
    """Results that are withheld or perturbed, with the reason."""
    fields: columns.Fields[Result] = (
        columns.plain(
            "result", lambda row: Cell(word_result(row), target=frame.anchors.place(row))
        ),
        columns.plain(
            "why", lambda row: Cell(_word_mark(row), tone="warn" if row.ranked else "bad")
        ),
    )
    marked = [row for row in results if not row.ranked or row.disturbed]
    marked.sort(key=lambda row: row.ranked)
    caption = "Results that are withheld or perturbed"
    laid = columns.lay_out(marked, fields)
    return make_table("marked", caption, *laid, frame.allowance, elsewhere=frame.export)


def _word_mark(row: Result) -> str:
    if row.verified == "failed":
        return "verification failed: withheld"
    if row.verified == "unchecked":
        return "not verified: withheld"
    if row.plausible is False:
        return "above its bound, which is impossible: withheld"
    return "rests on perturbed samples"


def skipped_table(evaluation: Evaluation, allowance: Allowance) -> Table:
    """What was not planned, was refused by its program or given up, with the reason."""
    fields: columns.Fields[Skipped] = (
        columns.text("program", lambda one: one.benchmark),
        columns.text("case", lambda one: one.case),
        columns.text("toolchain", lambda one: one.toolchain),
        columns.text("reason", lambda one: one.reason),
        columns.numbers(
            "refused launches", lambda one: Cell(str(one.n_refused or NOTHING), one.n_refused)
        ),
    )
    skipped = (*find_skipped(evaluation), *find_dropped(evaluation))
    return make_table("skipped", "Skipped cases", *columns.lay_out(skipped, fields), allowance)


def finding_table(finding: Finding, identifier: str) -> Table | None:
    """What a finding observed, if that is more than one thing."""
    if not finding.rows:
        return None
    rows = [Row(tuple(map(Cell, texts))) for texts in finding.rows]
    titles = list(map(Column, finding.columns))
    return make_table(
        identifier,
        "What was observed",
        titles,
        rows,
        Allowance(plain=len(rows)),
        folded=len(rows) > _MOST_OPEN,
    )


def disturbed_table(evaluation: Evaluation, allowance: Allowance) -> Table:
    """Steps during which something else ran, what became of them, and what rests on them."""
    spoilt = Counter(
        row.setup for row in evaluation.analysis.results if row.disturbed and not row.derived
    )
    what = evaluation.disturbed
    fields: columns.Fields[Ending] = (
        columns.plain("step", lambda one: Cell(one.step.id, target=step_anchor(one.step.id))),
        columns.text("program", lambda one: one.description),
        columns.text("what", lambda one: what[one.step.id], "warn"),
        columns.text("repeated", lambda one: _word_repeats(one.step, evaluation)),
        columns.plain(
            "its case's results without better samples", lambda one: _spoilt(spoilt[one.step.setup])
        ),
    )
    endings = [ending for ending in pair_endings(evaluation) if ending.step.id in what]
    caption = "Perturbed launches"
    return make_table("disturbed-steps", caption, *columns.lay_out(endings, fields), allowance)


def _spoilt(number: int) -> Cell:
    return Cell(count(number, "result") if number else "none", number)


def _word_repeats(step: Step, evaluation: Evaluation) -> str:
    """The repeats of a perturbed step, in words."""
    repeats = [each for each in evaluation.steps if _repeats(each, step)]
    if repeats:
        again = evaluation.disturbed.keys()
        return ", ".join(
            f"{each.id}, {'perturbed again' if each.id in again else 'unperturbed'}"
            for each in repeats
        )
    earlier = [each.id for each in evaluation.steps if _repeats(step, each)]
    return f"is the repeat of {', '.join(earlier)}" if earlier else "no"


def _repeats(step: Step, earlier: Step) -> bool:
    """Whether the step is a later attempt at the same launch."""
    same = ("benchmark", "case", "launch", "toolchain")
    return step.attempt > earlier.attempt and all(
        getattr(step, name) == getattr(earlier, name) for name in same
    )


def failed_checks(outcome: Outcome) -> list[str]:
    """The verifications that failed in a step, in words."""
    return [
        f"{check.name} is {check.value:.3g}, allowed {check.tolerance:.3g}"
        + (f", in {check.region}" if check.region else "")
        + (f" at {word_point(check.point)}" if check.point else "")
        for check in outcome.checks
        if not check.passed
    ]
