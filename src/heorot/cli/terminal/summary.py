"""Terminal output about a plan before, and about a run after it has ended."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Container, Sequence
from typing import get_args

import click
from rich.table import Table

from heorot.cli.terminal.tables import print_table
from heorot.model.analysis.result import Finding, Sentence
from heorot.model.run.experiment import ASKED, Answer, budget_option
from heorot.model.run.identity import Setup
from heorot.model.run.plan import Plan
from heorot.session.runs import Ended
from heorot.units import format_binary, format_duration, plural

_COLOURS = {"error": "red", "warning": "yellow", "note": None}
_SHOWN = 12
_WIDEST = 110


def print_plan(plan: Plan, foreseen: Sequence[str]) -> None:
    """Print answered and open questions, then cases, and skipped ones with reasons.

    Of a case: layout, launches, time, and memory of all ranks and of each.

    Args:
        foreseen: remarks about the run, in sentences.
    """
    counts = Counter(step.setup for step in plan.steps)
    if plan.experiments:
        _print_questions(plan, counts)
    table = Table(box=None, pad_edge=False)
    for name in ("benchmark", "case", "toolchain"):
        table.add_column(name)
    for name in ("nodes", "ranks", "threads", "launches", "time each", "memory", "per rank"):
        table.add_column(name, justify="right")
    firsts = {step.setup: step for step in reversed(plan.steps)}
    for setup, step in sorted(firsts.items()):
        table.add_row(
            setup.benchmark,
            setup.case,
            str(setup.stack),
            str(setup.nodes),
            str(setup.ranks),
            str(setup.threads),
            str(counts[setup]),
            format_duration(step.seconds),
            format_binary(step.memory_bytes),
            format_binary(step.bytes_per_rank),
        )
    print_table(table)
    for case in plan.skipped:
        click.echo(f"skipped: {case.benchmark} {case.case} ({case.stack}): {case.reason}")
    for remark in foreseen:
        click.echo(_wrapped(remark))
    click.echo(
        f"{plural(len(plan.steps), 'launch')}, about {format_duration(plan.seconds)}, "
        f"profile {plan.profile}, seed {plan.seed}"
    )


def _print_questions(plan: Plan, ran: Container[Setup]) -> None:
    """Print how many programs answer each question, wholly or in part, and the budget for the rest.

    Args:
        plan: has the reasons why other questions are not asked.
        ran: setups that are launched.
    """
    table = Table(box=None, pad_edge=False)
    table.add_column("question")
    for name in ("answered", "in part", "left open"):
        table.add_column(name, justify="right")
    table.add_column("all of it with")
    for question, words in ASKED.items():
        own = [one for one in plan.experiments if one.question == question]
        if own:
            found = Counter(one.answer(ran) for one in own)
            budget = max(one.budget_seconds for one in own)
            table.add_row(
                words,
                *(str(found[answer]) for answer in get_args(Answer)),
                budget_option(budget) if budget else "",
            )
    print_table(table)
    for question, reason in plan.unasked.items():
        click.echo(f"not asked: {ASKED[question]} ({reason})")
    click.echo()


def print_conclusions(verdict: Sequence[Sentence], findings: Sequence[Finding]) -> None:
    """Print a verdict and the most important findings.

    Args:
        findings: the most important first.
    """
    for sentence in verdict:
        click.echo(_wrapped(f"- {sentence.brief or sentence.text}"))
    if findings:
        click.echo()
    for finding in findings[:_SHOWN]:
        mark = click.style(finding.severity, fg=_COLOURS[finding.severity])
        click.echo(_wrapped(f"{mark}: {finding.text}"))
    if len(findings) > _SHOWN:
        click.echo(f"and {len(findings) - _SHOWN} more findings in the report")


def print_summary(ended: Ended) -> None:
    """Print the verdict, failures and perturbed launches, and the path of the report."""
    evaluation = ended.evaluation
    print_conclusions(evaluation.analysis.verdict, evaluation.analysis.findings)
    counts = evaluation.counts
    click.echo()
    said = f"{counts.programs}; {counts.runs}; {counts.results}; {counts.verification}"
    click.echo(_wrapped(said))
    left_out = [
        plural(number, noun) + what
        for number, noun, what in (
            (len(evaluation.plan.skipped), "case", " left out"),
            (evaluation.account.refused, "launch", " refused"),
            (len(evaluation.dropped), "launch", " given up"),
        )
        if number
    ]
    if left_out:
        *others, last = left_out
        listed = f"{', '.join(others)} and {last}" if others else last
        click.echo(f"{listed}; the report has the reasons")
    click.echo()
    click.echo(f"report: {ended.directory / 'report.html'}")


def _wrapped(text: str) -> str:
    """The text in lines of the terminal's width; as one line without a terminal."""
    if not sys.stdout.isatty():
        return text
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    return textwrap.fill(text, width, subsequent_indent="  ", break_on_hyphens=False)
