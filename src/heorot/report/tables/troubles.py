"""What contradicts, failed, was skipped or was disturbed, as tables and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from heorot.model.analysis.result import Finding, Result
from heorot.model.evaluation import Evaluation
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.report.anchors import Anchors, step_anchor
from heorot.report.sections.steps import find_dropped, find_skipped, pair_endings
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.report.wording import count, split_interval, word_point, word_result
from heorot.units import NOTHING, format_quantity

_MOST_OPEN = 3


def cross_check_table(evaluation: Evaluation, allowance: Allowance) -> Table:
    """Quantities measured in two ways."""
    rows = []
    for check in evaluation.analysis.cross_checks:
        cells = (
            Cell(check.quantity),
            Cell(f"{format_quantity(check.first, check.unit)} ({check.first_name})", check.first),
            Cell(
                f"{format_quantity(check.second, check.unit)} ({check.second_name})", check.second
            ),
            Cell(f"{check.ratio:.3f}", check.ratio),
            Cell(f"{1 / check.allowed:.3f}–{check.allowed:.3f}", check.allowed, "muted"),
            Cell("agree" if check.agrees else "disagree", tone="good" if check.agrees else "bad"),
        )
        rows.append(Row(cells))
    columns = [
        Column("quantity"),
        Column("one way", numeric=True),
        Column("another way", numeric=True),
        Column("ratio", numeric=True),
        Column("allowed", numeric=True),
        Column("verdict"),
    ]
    caption = "The same quantity, measured in two ways"
    return make_table("cross-checks", caption, columns, rows, allowance)


def marked_table(
    results: Sequence[Result], anchors: Anchors, allowance: Allowance, export: str
) -> Table:
    """Results that are withheld or disturbed, with the reason."""
    marked = [row for row in results if not row.ranked or row.disturbed]
    marked.sort(key=lambda row: row.ranked)
    rows = []
    for row in marked:
        value, interval = split_interval(
            row.median, row.ci_low, row.ci_high, row.unit, row.n_launches
        )
        why = (
            "verification failed: withheld"
            if row.verified == "failed"
            else "not verified: withheld"
            if row.verified == "unchecked"
            else "above its ceiling, which cannot be: withheld"
            if row.plausible is False
            else "rests on disturbed samples"
        )
        name = Cell(word_result(row), target=anchors.place(row))
        tone = "bad" if not row.ranked else "warn"
        rows.append(Row((name, Cell(value, row.median), Cell(interval), Cell(why, tone=tone))))
    columns = [
        Column("result"),
        Column("median", numeric=True),
        Column("95 % interval", numeric=True),
        Column("why"),
    ]
    caption = "Results that are withheld or disturbed"
    return make_table("marked", caption, columns, rows, allowance, elsewhere=export)


def skipped_table(evaluation: Evaluation, allowance: Allowance) -> Table:
    """What was not planned, was refused by its program or given up, with the reason."""
    rows = [
        Row(
            (
                Cell(each.benchmark),
                Cell(each.case),
                Cell(each.toolchain),
                Cell(each.reason),
                Cell(str(each.n_refused or NOTHING), each.n_refused),
            )
        )
        for each in (*find_skipped(evaluation), *find_dropped(evaluation))
    ]
    columns = [
        *map(Column, ("program", "case", "toolchain", "reason")),
        Column("refused launches", numeric=True),
    ]
    return make_table("skipped", "Skipped cases", columns, rows, allowance)


def finding_table(finding: Finding, identifier: str) -> Table | None:
    """What a finding observed, if that is more than one thing."""
    if not finding.rows:
        return None
    rows = [Row(tuple(map(Cell, texts))) for texts in finding.rows]
    columns = [Column(title) for title in finding.columns]
    return make_table(
        identifier,
        "What was observed",
        columns,
        rows,
        Allowance(plain=len(rows)),
        folded=len(rows) > _MOST_OPEN,
    )


def disturbed_table(evaluation: Evaluation, allowance: Allowance) -> Table:
    """Steps during which something else ran, what became of them, and what rests on them."""
    rows = []
    spoilt = Counter(
        row.setup for row in evaluation.analysis.results if row.disturbed and not row.derived
    )
    for ending in pair_endings(evaluation):
        step = ending.step
        if step.id not in evaluation.disturbed:
            continue
        n_spoilt = spoilt[step.setup]
        cells = (
            Cell(step.id, target=step_anchor(step.id)),
            Cell(ending.description),
            Cell(evaluation.disturbed[step.id], tone="warn"),
            Cell(_word_repeats(step, evaluation)),
            Cell(count(n_spoilt, "result") if n_spoilt else "none", n_spoilt),
        )
        rows.append(Row(cells))
    titles = ("step", "program", "what", "repeated", "its case's results without better samples")
    caption = f"Disturbed launches: {evaluation.analysis.disturbances.text}"
    return make_table("disturbed-steps", caption, list(map(Column, titles)), rows, allowance)


def _word_repeats(step: Step, evaluation: Evaluation) -> str:
    """What became of a disturbed step."""
    repeats = [each for each in evaluation.steps if _repeats(each, step)]
    if repeats:
        return ", ".join(
            f"{each.id}, {'disturbed again' if each.id in evaluation.disturbed else 'undisturbed'}"
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
