"""`heorot lab`: a cluster in a box, of namespaces of this computer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TypeVar, get_args

import click
from pydantic import ValidationError

from heorot.cli import options
from heorot.cli.terminal.laboratories import command_about, described, tell
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
  heorot lab up --nodes 4 --bandwidth 100mbit --latency 200us     a slow cluster
  heorot lab run -- mpiexec -hosts n1,n2 -n 2 ./program           on its head
  heorot lab run --nodes n1,n2 -- hostname                        on two of its nodes
  heorot lab cut n2; heorot lab heal n2                           trouble, and its end
  heorot lab up --nodes 16 --slurm --name batch                   another one, with Slurm
  heorot lab run --name batch -- srun -N16 hostname
  heorot lab up --slurm --scheduler builtin --limits none         Slurm without its virtues
  heorot lab up --slurm --open --name many                        whose Slurm other users use
  heorot lab run --name many --user nobody -- squeue
  heorot evaluate --site lab                                      a lab is a site like any other
  heorot lab down --name batch
"""
_Command = TypeVar("_Command", bound=Callable[..., object])


def _rate(text: str) -> float:
    """A rate [bit/s]; NaN stands for as fast as it goes."""
    rate = parse_rate(text)
    return math.nan if rate is None else rate


def _name(ctx: click.Context, param: click.Parameter, value: str) -> str:
    if not is_name(value):
        raise click.BadParameter(
            f"{value!r} is no name: small letters, digits and -, a letter first", ctx, param
        )
    return value


_name_option = click.option(
    "--name", default="lab", show_default=True, callback=_name, help="Which lab."
)


def _link_options(function: _Command) -> _Command:
    bandwidth = click.option(
        "--bandwidth",
        type=options.Read("rate", _rate),
        help="Of each link, either way: 100mbit, 1gbit, none.",
    )
    latency = click.option(
        "--latency",
        type=options.Read("time", parse_latency),
        help="Between two nodes, one way: 200us, 1ms, none.",
    )
    return bandwidth(latency(function))


def _policy_options(function: Callable[..., int]) -> Callable[..., int]:
    """Options of what Slurm does with jobs; the function gets them as one `policy`."""

    @click.option(
        "--scheduler", type=click.Choice(get_args(Scheduler)), default="backfill",
        show_default=True, help="Whether short jobs overtake wide ones that wait.",
    )  # fmt: skip
    @click.option(
        "--epilogue", type=click.Choice(get_args(Epilogue)), default="none", show_default=True,
        help="What cleans up behind each job: one that does, that does nothing, or that fails.",
    )  # fmt: skip
    @click.option(
        "--limits", type=click.Choice(get_args(Limits)), default="time", show_default=True,
        help="Enforced on jobs: that of their time, of their memory, too, or none.",
    )  # fmt: skip
    @click.option(
        "--slurm-conf", "settings", multiple=True, metavar="KEY=VALUE",
        help="Line of slurm.conf, repeatable; takes the place of the lab's own.",
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


@click.group(name="lab", epilog=_EPILOG)
def command() -> None:
    """A cluster in a box: virtual nodes on this computer, a shaped network, real Slurm."""


@command.command(
    name="up",
    epilog="Example: heorot lab up --nodes 4 --cpus 2 --bandwidth 100mbit --latency 200us --slurm",
)
@click.option(
    "--nodes", "n_nodes", type=click.IntRange(1, MOST_NODES), default=4, show_default=True,
    help="Compute nodes, besides the head.",
)  # fmt: skip
@click.option(
    "--cpus", type=click.IntRange(1, 1024),
    help="Processors of a node; those of this computer shared out if left out.",
)  # fmt: skip
@_link_options
@click.option(
    "--second", type=options.Read("rate", _rate), metavar="RATE",
    help="A second network of this bandwidth, eth1, on the same cables.",
)  # fmt: skip
@click.option("--slurm", is_flag=True, help="With Slurm: its controller on the head.")
@click.option(
    "--open", "is_open", is_flag=True,
    help="Other users of this computer can use its Slurm: lab run --user. For root alone.",
)  # fmt: skip
@click.option(
    "--accounting", type=click.Choice(get_args(Accounting)), default="file", show_default=True,
    help="Of Slurm's jobs: in a file, in a data base by slurmdbd, or nowhere.",
)  # fmt: skip
@_policy_options
@click.option(
    "--shared", multiple=True, metavar="DIR",
    type=options.DIRECTORY,
    help="Directory below /tmp that all nodes see, repeatable; each has its own /tmp.",
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
    """Make a lab: nodes n1, n2... and a head, each with its own network, processes and /tmp."""
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
            say=lambda line: click.echo(f"{line} ...", err=True),
        )
    )
    click.echo(described(made))
    click.echo(f"site     {laboratory.site_file(name)}")
    click.echo(f"run      {command_about(name, 'run')} -- COMMAND")
    if made.is_open:
        click.echo(f"users    {command_about(name, 'run')} --user USER -- COMMAND")
        click.echo(f"         their site file: {laboratory.users_site_file(name)}")
    click.echo(f"end it   {command_about(name, 'down')}")
    return 0


@command.command(
    name="run",
    context_settings={"ignore_unknown_options": True},
    epilog="Example: heorot lab run --nodes n1,n2 -- uname -n",
)
@click.option("--nodes", default="", help="Nodes such as n1,n3 or `all`; the head if left out.")
@click.option("--user", help="On the head of an open lab, as another user of this computer.")
@_name_option
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND...")
def run(nodes: str, user: str | None, name: str, words: tuple[str, ...]) -> int:
    """Run COMMAND on the head, or on each of some nodes; ends with the worst exit code."""
    return laboratory.run(name, [word for word in nodes.split(",") if word], words, user)


@command.command(name="status", epilog="Example: heorot lab status --name batch")
@click.option("--name", callback=lambda *given: given[2] and _name(*given), help="Which lab.")
def status(name: str | None) -> int:
    """Say how each node is: whether it lives, how busy it is, its memory, its traffic."""
    names = [name] if name else laboratory.names()
    if not names:
        raise UsageError("there is no lab", f"make one: {suggest('lab', 'up')}")
    for each in names:
        tell(laboratory.look(each))
    return 0


@command.command(name="kill", epilog="Example: heorot lab kill n2")
@click.argument("node")
@_name_option
def kill(node: str, name: str) -> int:
    """Kill NODE with everything on it, as if its power failed."""
    killed = laboratory.kill(name, node)
    click.echo(f"{node} is dead; bring it back: {command_about(name, 'heal', node)}" if killed
               else f"{node} was dead already")  # fmt: skip
    return 0


@command.command(name="cut", epilog="Example: heorot lab cut n2")
@click.argument("node")
@_name_option
def cut(node: str, name: str) -> int:
    """Take the link of NODE down; the node goes on without it."""
    was_up = laboratory.cut(name, node)
    click.echo(f"{node} is cut off; connect it: {command_about(name, 'heal', node)}" if was_up
               else f"{node} was cut off already")  # fmt: skip
    return 0


@command.command(name="heal", epilog="Example: heorot lab heal n2")
@click.argument("node")
@_name_option
def heal(node: str, name: str) -> int:
    """Bring NODE back: to life, to the network, to Slurm; the head with Slurm's controller."""
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
    """Give NODES, or all, links of another bandwidth or latency; what is left out stays."""
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
    """End a lab with everything that runs in it, whatever state it is in; nothing is left."""
    click.echo(f"the lab {name} is gone" if laboratory.down(name) else f"there is no lab {name}")
    return 0


def _bits(rate: float | None) -> float | None:
    """A rate as records have it: None for as fast as it goes."""
    return None if rate is None or math.isnan(rate) else rate
