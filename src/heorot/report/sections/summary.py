"""What was asked of a run and how it stands, in a line each."""

from __future__ import annotations

from heorot.model.evaluation import Evaluation
from heorot.report.sections.steps import find_skipped
from heorot.report.wording import count, group_digits
from heorot.units import format_duration


def state_words(evaluation: Evaluation) -> list[tuple[str, str]]:
    """The line of state under the title: text and tone."""
    results, counts = evaluation.analysis.results, evaluation.counts
    withheld = sum(not row.ranked for row in results)
    disturbances = evaluation.analysis.disturbances
    failed = evaluation.account.troubled
    findings = len(evaluation.analysis.findings)
    worst = any(each.severity == "error" for each in evaluation.analysis.findings)
    left_out = len(find_skipped(evaluation))
    words = [(counts.results, "good" if counts.measured else "bad")]
    words += [(f"{group_digits(withheld)} withheld", "bad")] if withheld else []
    words.append((counts.verification, "good" if counts.all_passed else "bad"))
    words.append((count(findings, "finding"), "bad" if worst else "warn" if findings else "good"))
    words.append((disturbances.text, "good" if disturbances.none else "warn"))
    words.append((f"{counts.runs}, {failed or 'none'} failed", "bad" if failed else "good"))
    words.append((counts.programs, "muted"))
    words += [(f"{count(left_out, 'case')} left out", "muted")] if left_out else []
    return words


def question_asked(evaluation: Evaluation) -> str:
    """What was asked of the run, in a sentence."""
    plan = evaluation.plan
    budget = f", within {format_duration(plan.budget_seconds)}" if plan.budget_seconds else ""
    n_programs = count(len(evaluation.benchmarks), "program")
    n_toolchains = count(len(evaluation.facts.toolchains), "toolchain")
    return (
        f"Profile {evaluation.facts.request.profile}: {n_programs} in {evaluation.counts.runs} "
        f"with {n_toolchains}{budget}."
    )
