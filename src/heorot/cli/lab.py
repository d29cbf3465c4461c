"""`heorot lab`: a virtual cluster of Linux namespaces on this computer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TypeVar, get_args

import click
from pydantic import ValidationError

from heorot.cli import options
from heorot.cli.terminal.laboratories import command_about, described, print_status
from heorot.errors import UsageError
from heorot.lab.model import (
    MOST_NODES,
    Accounting,
    Epilogue,
    Limits,
    Link,
    Policy,
    Scheduler,
    is_name,
)
from heorot.lab.quantities import parse_latency, parse_rate
from heorot.session import laboratory
from heorot.suggestion import suggest

_EPILOG = """\b
Examples:
  heorot lab up --nodes 4 --bandwidth 100mbit --latency 200us
  heorot lab run -- mpiexec -hosts n1,n2 -n 2 ./program
  heorot lab run --nodes n1,n2 -- hostname         on two nodes
  heorot lab cut n2; heorot lab heal n2            link failure, repair
  heorot lab up --nodes 16 --slurm --name batch    a second lab, with Slurm
  heorot lab run --name batch -- srun -N16 hostname
  heorot lab up --slurm --scheduler builtin --limits none
  heorot lab up --slurm --open --name many         Slurm for other users
  heorot lab run --name many --user eve -- squeue
  heorot evaluate --site lab                       use it as a site
  heorot lab down --name batch
"""
_Command = TypeVar("_Command", bound=Callable[..., object])


def _rate(text: str) -> float:
    """A rate [bit/s]; NaN for unlimited."""
    rate = parse_rate(text)
    return math.nan if rate is None else rate


def _name(ctx: click.Context, param: click.Parameter, value: str) -> str:
    if not is_name(value):
        raise click.BadParameter(
            f"{value!r} is not a name: lower-case letters, digits and -, a letter first", ctx, param
        )
    return value


_name_option = click.option(
    "--name", default="lab", show_default=True, callback=_name, help="Name of the lab."
)


def _link_options(function: _Command) -> _Command:
    bandwidth = click.option(
        "--bandwidth",
        type=options.Read("rate", _rate),
        help="Bandwidth of each link, per direction: 100mbit, 1gbit, none.",
    )
    latency = click.option(
        "--latency",
        type=options.Read("time", parse_latency),
        help="Latency between two nodes, one way: 200us, 1ms, none.",
    )
    return bandwidth(latency(function))


def _policy_options(function: Callable[..., int]) -> Callable[..., int]:
    """Options of Slurm's policy; the function gets them as one `policy`."""

    @click.option(
        "--scheduler", type=click.Choice(get_args(Scheduler)), default="backfill",
        show_default=True, help="Scheduler of Slurm: with or without backfilling.",
    )  # fmt: skip
    @click.option(
        "--epilogue", type=click.Choice(get_args(Epilogue)), default="none", show_default=True,
        help="Epilog after each job: one that cleans up, that does nothing, or that fails.",
    )  # fmt: skip
    @click.option(
        "--limits", type=click.Choice(get_args(Limits)), default="time", show_default=True,
        help="Limits enforced on jobs: time, time and memory, or none.",
    )  # fmt: skip
    @click.option(
        "--slurm-conf", "settings", multiple=True, metavar="KEY=VALUE",
        help="Setting of slurm.conf, overrides the lab's; repeatable.",
    )  # fmt: skip
    @wraps(function)
    def wrapped(
        *given: object,
        scheduler: Scheduler,
        epilogue: Epilogue,
        limits: Limits,
        settings: tuple[str, ...],
        **others: object,
    ) -> int:
        try:
            policy = Policy(
                scheduler=scheduler, epilogue=epilogue, limits=limits, settings=settings
            )
        except ValidationError as error:
            said = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
            raise UsageError(f"--slurm-conf: {said}", "man slurm.conf lists the keys") from None
        return function(*given, policy=policy, **others)

    return wrapped


@click.group(name="lab", cls=options.Commands, epilog=_EPILOG)
def command() -> None:
    """Virtual cluster on this computer: nodes, shaped network, Slurm."""


@command.command(
    name="up",
    epilog="Example: heorot lab up --nodes 4 --cpus 2 --bandwidth 100mbit --slurm",
)
@click.option(
    "--nodes", "n_nodes", type=click.IntRange(1, MOST_NODES), default=4, show_default=True,
    help="Compute nodes, in addition to the head node.",
)  # fmt: skip
@click.option(
    "--cpus", type=click.IntRange(1, 1024),
    help="Cores per node. Default: those of this computer, divided among the nodes.",
)  # fmt: skip
@_link_options
@click.option(
    "--second", type=options.Read("rate", _rate), metavar="RATE",
    help="A second network of this bandwidth, eth1, on the same cables.",
)  # fmt: skip
@click.option("--slurm", is_flag=True, help="Start Slurm; its controller runs on the head node.")
@click.option(
    "--open", "is_open", is_flag=True,
    help="Let other users of this computer use Slurm (lab run --user). Root only.",
)  # fmt: skip
@click.option(
    "--accounting", type=click.Choice(get_args(Accounting)), default="file", show_default=True,
    help="Job accounting of Slurm: in a file, in a database (slurmdbd), or none.",
)  # fmt: skip
@_policy_options
@click.option(
    "--shared", multiple=True, metavar="DIR",
    type=options.DIRECTORY,
    help="Directory below /tmp shared by all nodes, which have their own /tmp; repeatable.",
)  # fmt: skip
@_name_option
def up(
    n_nodes: int,
    cpus: int | None,
    bandwidth: float | None,
    latency: float | None,
    second: float | None,
    slurm: bool,
    is_open: bool,
    accounting: Accounting,
    policy: Policy,
    shared: tuple[Path, ...],
    name: str,
) -> int:
    """Start a lab: a head node and nodes n1, n2 ... with own network, processes and /tmp."""
    made = laboratory.up(
        laboratory.LabRequest(
            name=name,
            n_nodes=n_nodes,
            cpus_per_node=cpus,
            link=Link(rate_bits=_bits(bandwidth), latency_seconds=latency or 0.0),
            second_rate_bits=_bits(second),
            slurm=slurm,
            is_open=is_open,
            accounting=accounting,
            policy=policy,
            shared=shared,
            switch=laboratory.switch(),
            report=lambda line: click.echo(f"{line} ...", err=True),
        )
    )
    click.echo(described(made))
    click.echo(f"site     {laboratory.site_file(name)}")
    click.echo(f"run      {command_about(name, 'run')} -- COMMAND")
    if made.is_open:
        click.echo(f"users    {command_about(name, 'run')} --user USER -- COMMAND")
        click.echo(f"         their site file: {laboratory.users_site_file(name)}")
    click.echo(f"stop it  {command_about(name, 'down')}")
    return 0


@command.command(
    name="run",
    context_settings={"ignore_unknown_options": True},
    epilog="Example: heorot lab run --nodes n1,n2 -- uname -n",
)
@click.option("--nodes", default="", help="Nodes such as n1,n3 or `all`. Default: the head node.")
@click.option("--user", help="User of this computer to run as, in an open lab.")
@_name_option
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND...")
def run(nodes: str, user: str | None, name: str, words: tuple[str, ...]) -> int:
    """Run COMMAND on the head node or on several nodes. Returns the highest exit code."""
    return laboratory.run(name, [word for word in nodes.split(",") if word], words, user)


@command.command(name="status", epilog="Example: heorot lab status --name batch")
@click.option(
    "--name", callback=lambda *given: given[2] and _name(*given), help="Lab. Default: all."
)
def status(name: str | None) -> int:
    """Show the state, load, memory and traffic of each node."""
    names = [name] if name else laboratory.names()
    if not names:
        raise UsageError("there is no lab", f"start one: {suggest('lab', 'up')}")
    for each in names:
        print_status(laboratory.look(each))
    return 0


@command.command(name="kill", epilog="Example: heorot lab kill n2")
@click.argument("node")
@_name_option
def kill(node: str, name: str) -> int:
    """Kill NODE and all its processes, as in a power failure."""
    killed = laboratory.kill(name, node)
    click.echo(f"{node} is dead; bring it back: {command_about(name, 'heal', node)}" if killed
               else f"{node} was dead already")  # fmt: skip
    return 0


@command.command(name="cut", epilog="Example: heorot lab cut n2")
@click.argument("node")
@_name_option
def cut(node: str, name: str) -> int:
    """Take the network link of NODE down. Its processes keep running."""
    was_up = laboratory.cut(name, node)
    click.echo(f"{node} is cut off; connect it: {command_about(name, 'heal', node)}" if was_up
               else f"{node} was cut off already")  # fmt: skip
    return 0


@command.command(name="heal", epilog="Example: heorot lab heal n2")
@click.argument("node")
@_name_option
def heal(node: str, name: str) -> int:
    """Repair NODE: restart it, connect it, return it to Slurm."""
    done = laboratory.heal(name, node)
    click.echo(f"{node}: {', '.join(done)}" if done else f"{node} is well")
    for other, state in laboratory.unwell(name).items():
        click.echo(f"{other} is {state}; bring it back: {command_about(name, 'heal', other)}")
    return 0


@command.command(
    name="shape", epilog="Example: heorot lab shape n1 n2 --bandwidth 10mbit --latency 1ms"
)
@click.argument("nodes", nargs=-1)
@_link_options
@_name_option
def shape(nodes: Sequence[str], bandwidth: float | None, latency: float | None, name: str) -> int:
    """Change bandwidth or latency of the links of NODES, or of all nodes."""
    fields: dict[str, float | None] = {}
    if bandwidth is not None:
        fields["rate_bits"] = _bits(bandwidth)
    if latency is not None:
        fields["latency_seconds"] = latency
    if not fields:
        raise UsageError("nothing to change", "give --bandwidth, --latency or both")
    laboratory.shape(name, nodes, **fields)
    click.echo(f"links of {', '.join(nodes) or 'all nodes'} changed")
    return 0


@command.command(name="down", epilog="Example: heorot lab down --name batch")
@_name_option
def down(name: str) -> int:
    """Stop a lab and everything that runs in it, whatever its state."""
    click.echo(f"the lab {name} is gone" if laboratory.down(name) else f"there is no lab {name}")
    return 0


def _bits(rate: float | None) -> float | None:
    """A rate as in records: None for unlimited."""
    return None if rate is None or math.isnan(rate) else rate
