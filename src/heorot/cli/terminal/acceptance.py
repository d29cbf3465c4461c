"""Progress and outcome of the acceptance test of a batch system."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.acceptance.session.check import Intent, Reporter
from heorot.model.batch.acceptance import STATUSES, WORDS, Acceptance, FeatureStatus, Verdict
from heorot.printable import printable
from heorot.units import format_duration, plural

_COLOURS: dict[FeatureStatus, str] = {
    "passed": "green",
    "failed": "red",
    "absent": "yellow",
    "untested": "yellow",
}
_NAME, _WORD = 15, 20


def print_intent(intent: Intent) -> None:
    """Print the number and cost of the jobs that will be submitted."""
    target = intent.target
    system = target.batch.system if target.batch else "no batch system"
    queue = f", queue {target.queue.name}" if target.queue.name else ""
    nodes = plural(target.nodes, "node")
    limit = format_duration(60.0 * intent.request.minutes)
    what = f"{len(intent.features)} features, up to {intent.n_jobs} jobs"
    cost = f"up to {intent.node_minutes:.0f} node minutes"
    took = f"about {format_duration(intent.seconds)} on an idle system"
    lines = [
        f"{system}{queue}: {what}, at most {nodes} at the same time",
        f"{cost}, {took}, no more than {limit}",
    ]
    if any(feature.admin for feature in intent.features):
        lines.append(
            "one node is drained and one is set down, or killed in a lab, for a short time"
        )
    for line in lines:
        click.echo(line, err=True)


class VerdictPrinter:
    """Prints a line for each verdict."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self.reporter = Reporter(cleaned=self._clean, judged=self._judge)

    def _clean(self, line: str) -> None:
        click.echo(printable(line), err=True)

    def _judge(self, verdict: Verdict) -> None:
        if self._quiet:
            return
        word = click.style(f"{WORDS[verdict.status]:{_WORD}}", fg=_COLOURS[verdict.status])
        click.echo(f"{verdict.feature:{_NAME}} {word} {printable(verdict.text)}")
        for line in verdict.evidence:
            click.echo(f"{'':{_NAME}} {'':{_WORD}}   {click.style(printable(line), dim=True)}")


def print_outcome(found: Acceptance, directory: Path) -> None:
    """Print the number of features by status, and where the results are."""
    counts = [f"{found.count(each)} {WORDS[each]}" for each in STATUSES if found.count(each)]
    took = format_duration(found.ended - found.begun)
    minutes = found.node_seconds / 60.0
    click.echo(
        f"{', '.join(counts)}; {len(found.jobs)} jobs, {minutes:.1f} node minutes, {took}", err=True
    )
    click.echo(f"report   {directory / 'acceptance.html'}", err=True)
