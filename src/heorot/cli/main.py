"""The entry point: finds the command; errors become one line and an exit code."""

from __future__ import annotations

import gc
import re
import sys
from importlib import import_module

import click

from heorot import __version__, interruption
from heorot.cli.terminal import mistakes, prerequisites, streams
from heorot.errors import HeorotError, UsageError
from heorot.suggestion import name_as_typed, nearest, suggest

# Name -> module and function: a command's modules are imported only when it runs.
_COMMANDS = {
    "doctor": "check the installation and the conditions for measuring",
    "machine": "describe this machine",
    "list": "list the benchmarks",
    "evaluate": "plan, build, measure, analyse, report",
    "run": "run one benchmark and print its results",
    "throughput": "run a schedule of batch jobs; report waits, slowdowns, interference",
    "recipe": "third-party benchmarks: list, write and test recipes",
    "batch": "test the functions of a batch system (acceptance)",
    "simulate-batch": "simulate a workload under scheduling policies",
    "lab": "virtual cluster on this computer: nodes, shaped network, Slurm",
    "schema": "print JSON schemas of site files and recipes, for editors",
    "report": "write the report of a run again from its records",
    "export": "export all results as CSV, JSON or Parquet",
    "compare": "compare runs, with significance tests",
    "references": "published machines: list and show figures, publish a run",
    "verify": "check the stored results of a run against its records",
    "status": "show the progress of a run",
    "stop": "stop the jobs of a run; it can be resumed",
}
_EPILOG = """\b
Examples:
  heorot doctor                       is everything installed and quiet
  heorot evaluate --profile smoke     a first look, under a minute
  heorot run memory/stream            one program, a table on the terminal
  heorot compare runs/a runs/b        what became faster or slower
  heorot COMMAND --help               options of a command, with examples
"""
_OBJECTS_UNTIL_COLLECTION = 200_000
_ON_RUNS = ("report", "export", "compare", "verify", "status", "stop")
_INSPECTING = ("doctor", "machine", "schema", "references")
_MODULES = {
    **{name: f"heorot.cli.{name}" for name in _COMMANDS},
    **{name: f"heorot.cli.runs.{name}" for name in _ON_RUNS},
    **{name: f"heorot.cli.inspection.{name}" for name in _INSPECTING},
    "list": "heorot.cli.inspection.listing",
    "simulate-batch": "heorot.cli.simulate_batch",
}
# Definition lists use the whole terminal; longer lines of prose are hard to read.
_MOST_COLUMNS = 200


class _Commands(click.Group):
    """A group that imports a command when it is needed."""

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
        # Before it is imported: with too little memory some libraries loop for ever.
        if args and not {"-h", "--help"} & {*args}:
            prerequisites.require(args[0])
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.epilog = _as_typed(_EPILOG)
        super().format_epilog(ctx, formatter)


def _as_typed(text: str) -> str:
    """Examples with the name by which Heorot was called, for copying."""
    return re.sub(r"(?<!\S)heorot ", lambda _: f"{name_as_typed()} ", text)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": _MOST_COLUMNS},
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="heorot")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Evaluate a parallel computer, from a single core to a batch workload.

    Every result is verified, has a confidence interval, and is compared with its bound.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the command line and exit: code 0 success, 1 a case failed, 2 a usage or site error."""
    # Commands produce almost no garbage; collecting it takes a tenth of their time.
    gc.set_threshold(_OBJECTS_UNTIL_COLLECTION)
    # SIGTERM leads to the same clean-up as Ctrl-C.
    interruption.listen()
    streams.open_closed()
    code = _run()
    try:
        streams.flush()
    except OSError as error:
        code = mistakes.print_error(error) or code
    sys.exit(code)


def _run() -> int:
    try:
        if not streams.is_open():
            raise UsageError("standard output is closed", "send it to a file or to /dev/null")
        code = cli.main(prog_name=name_as_typed(), standalone_mode=False)
    except mistakes.ALL as error:
        return mistakes.print_error(error)
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    main()
