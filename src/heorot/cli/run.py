"""`heorot run`: one benchmark, with its results as a table."""

from __future__ import annotations

import math
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from heorot import interruption
from heorot.cli import options
from heorot.errors import UsageError
from heorot.suggestion import suggest
from heorot.units import plural

if TYPE_CHECKING:
    from heorot.model.evaluation import Evaluation

_EPILOG = """\b
Examples:
  heorot run memory/stream --threads 2
  heorot run npb/ep --set class=A --ranks 2
  heorot run messages/pingpong --ranks 2 --per-node 1 --batch slurm
  heorot run others/hpcc --ranks 4           a third-party benchmark
  heorot run messages/pingpong --ranks 2 --toolchain '*mpich*'
"""


@click.command(name="run", epilog=_EPILOG)
@click.argument("benchmark")
@click.option(
    "--set", "settings", multiple=True, metavar="K=V", help="Option of the program; repeatable."
)
@click.option("--ranks", type=options.SEVERAL, default=1, show_default=True, help="MPI ranks.")
@click.option("--threads", type=options.SEVERAL, default=1, show_default=True, help="Threads.")
@click.option("--nodes", type=options.SEVERAL, help="Nodes to spread the ranks over.")
@click.option("--per-node", type=options.SEVERAL, help="Ranks on each node.")
@click.option("--launches", type=options.SEVERAL, default=1, show_default=True, help="Launches.")
@options.timeout
@click.option("--oversubscribe", is_flag=True, help="Allow more ranks and threads than cores.")
@options.toolchain
@options.batch
@options.site
@options.trust_site
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Keep the run in this directory. Default: delete it.",
)
@options.recipe
@options.source
@options.anyway
@options.quiet
def command(
    benchmark: str,
    settings: tuple[str, ...],
    ranks: int,
    threads: int,
    nodes: int | None,
    per_node: int | None,
    oversubscribe: bool,
    out: Path | None,
    anyway: bool,
    quiet: bool,
    **asked: object,
) -> int:
    """Run BENCHMARK and print its results. heorot list shows the names."""
    from heorot.cli.terminal.progress import choose
    from heorot.cli.terminal.tables import results_table
    from heorot.model.catalogue.benchmark import Case
    from heorot.model.catalogue.need import Need
    from heorot.model.run.request import Chosen, Request
    from heorot.session import conductor
    from heorot.session.exclusive_use import concurrent_runs

    case = Case(
        name="chosen",
        options=dict(_setting(text) for text in settings),
        ranks=ranks,
        threads=threads,
        nodes=_spread(ranks, nodes, per_node),
        needs=Need(shared_cores=oversubscribe),
    )
    if not anyway:
        concurrent_runs.require_quiet()
    with run_directory(out) as directory:
        chosen = Chosen(benchmark=benchmark, case=case)
        request = options.request_of(Request, asked, chosen=chosen, out=directory)
        keep = out is not None
        ended = conductor.evaluate(request, choose(quiet), anyway=anyway, keep=keep)
    _require_run(ended.evaluation, benchmark)
    results_table(ended.evaluation.analysis.results)
    for finding in ended.evaluation.analysis.findings:
        click.echo(f"{finding.severity}: {finding.text}")
    for outcome in ended.evaluation.outcomes:
        if outcome.state != "completed" and outcome.last_output:
            click.echo(outcome.last_output, err=True)
    return ended.code


def _spread(ranks: int, nodes: int | None, per_node: int | None) -> int:
    """Nodes over which ranks are spread evenly.

    Raises:
        UsageError: that is impossible.
    """
    wanted = nodes or (math.ceil(ranks / per_node) if per_node else 1)
    if per_node and nodes and ranks != nodes * per_node:
        raise UsageError(
            f"--ranks {ranks} is not --nodes {nodes} times --per-node {per_node}",
            "leave --nodes or --per-node out",
        )
    if ranks % wanted:
        raise UsageError(
            f"{plural(ranks, 'rank')} cannot be spread evenly over {wanted} nodes",
            "request a multiple of the nodes with --ranks",
        )
    return wanted


@contextmanager
def run_directory(out: Path | None) -> Iterator[Path]:
    """The directory of the run; removed at the end unless --out was given or it can be resumed."""
    if out is not None:
        yield out
        return
    interruption.listen_for_hang_up()  # the user would not find the run
    temporary = Path(tempfile.mkdtemp(prefix="heorot-"))
    directory = temporary / "run"
    try:
        yield directory
    except BaseException:  # an interruption, a full disk: the message names the directory
        if not (directory / "plan.json").exists():
            shutil.rmtree(temporary, ignore_errors=True)
        raise
    shutil.rmtree(temporary, ignore_errors=True)


def _require_run(evaluation: Evaluation, benchmark: str) -> None:
    """Check that the program ran.

    Raises:
        UsageError: its options are wrong, or it cannot run here.
    """
    from heorot.model.recipe import FAMILY
    from heorot.model.run.outcome import WRONG_USAGE

    for outcome in evaluation.outcomes:
        wrong = outcome.exit is not None and outcome.exit.code == WRONG_USAGE
        # A third-party program may use that code for anything.
        if wrong and not benchmark.startswith(f"{FAMILY}/"):
            raise _usage_error(outcome.last_output)
    account = evaluation.account
    if account.refused == account.submitted:
        hint = f"{suggest('list')} shows all benchmarks"
        raise UsageError(f"{benchmark} cannot run here: {evaluation.outcomes[0].reason}", hint)


def _usage_error(output: str) -> UsageError:
    """The program's own error about a wrong option: its line and its hint."""
    lines = output.splitlines()
    said = [line.removeprefix("heorot: ") for line in lines if line.startswith("heorot: ")]
    hints = [line.removeprefix("hint: ") for line in lines if line.startswith("hint: ")]
    return UsageError(
        said[0] if said else "the program refused its options",
        hints[0] if hints else "correct the values of --set",
    )


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UsageError(f"--set {text}: must be NAME=VALUE", "for example --set class=A")
    return name, value
