"""The entry point: finds the command, turns mistakes into one line and an exit code."""

from __future__ import annotations

import gc
import re
import sys
from importlib import import_module

import click

from heorot import __version__, interruption
from heorot.cli.terminal import mistakes, streams, surroundings
from heorot.errors import HeorotError, UsageError
from heorot.suggestion import name_as_typed, nearest, suggest

# Name -> module and function: a command's imports are paid for only when it runs.
_COMMANDS = {
    "doctor": "what is here, what is missing, how to get it",
    "machine": "the machine description found",
    "list": "the catalogue of benchmarks",
    "evaluate": "plan, build, measure, analyse, report",
    "run": "one benchmark, table on the terminal",
    "throughput": "a day of batch work: many jobs by a schedule, and what sharing cost them",
    "recipe": "programs of others: list, write and try their recipes",
    "batch": "what a batch system can do: its functional acceptance",
    "simulate-batch": "a workload under scheduling policies, simulated",
    "lab": "a cluster in a box: virtual nodes, a shaped network, Slurm",
    "report": "write the report again from the records",
    "export": "all results as CSV, JSON or Parquet",
    "compare": "runs side by side, with tests of significance",
    "verify": "whether what a run has stored follows from its records",
    "status": "how far a run is, and whether it still runs",
    "stop": "end what a run has running; it can be gone on with",
}
_EPILOG = """\b
Examples:
  heorot doctor                       what is here and what is missing
  heorot evaluate --profile smoke     a first look, under a minute
  heorot run memory/stream            one program, a table on the terminal
  heorot compare runs/a runs/b        what became faster or slower
  heorot COMMAND --help               the options of a command, with examples
"""
_OBJECTS_UNTIL_COLLECTION = 200_000
_ON_RUNS = ("report", "export", "compare", "verify", "status", "stop")
_MODULES = {
    name: f"heorot.cli.runs.{name}" if name in _ON_RUNS else f"heorot.cli.{name}"
    for name in _COMMANDS
} | {"list": "heorot.cli.listing", "simulate-batch": "heorot.cli.simulate_batch"}


class _Commands(click.Group):
    """A group that imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _MODULES:
            return None
        command = import_module(_MODULES[cmd_name]).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{_MODULES[cmd_name]}.command is no click command")
        command.epilog = _as_typed(command.epilog or "")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in _COMMANDS:
            near = nearest(args[0], _COMMANDS)
            hint = f"did you mean '{near}'?" if near else f"{suggest('--help')} lists the commands"
            raise HeorotError(f"no such command: {args[0]}", hint)
        # Before it is imported: libraries loop for ever where memory is short.
        if args and not {"-h", "--help"} & {*args}:
            surroundings.require(args[0])
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.epilog = _as_typed(_EPILOG)
        super().format_epilog(ctx, formatter)


def _as_typed(text: str) -> str:
    """Examples that can be copied: with the name by which Heorot was called."""
    return re.sub(r"(?<!\S)heorot ", lambda _: f"{name_as_typed()} ", text)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="heorot")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Evaluate a parallel computer, from one core to a day of batch work.

    What is measured is checked, has an interval, and is explained against its ceiling.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the command line and leave with its exit code: 0 well, 1 a case failed, 2 a mistake."""
    # Of what commands read next to nothing becomes garbage, and looking for it takes a tenth.
    gc.set_threshold(_OBJECTS_UNTIL_COLLECTION)
    # Whoever asks us to end politely gets the same clean-up as Ctrl-C.
    interruption.listen()
    streams.open_closed()
    code = _run()
    try:
        streams.flush()
    except OSError as error:
        code = mistakes.tell(error) or code
    sys.exit(code)


def _run() -> int:
    try:
        if not streams.is_open():
            raise UsageError("standard output is closed", "send it to a file or to /dev/null")
        code = cli.main(prog_name=name_as_typed(), standalone_mode=False)
    except mistakes.ALL as error:
        return mistakes.tell(error)
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    main()
