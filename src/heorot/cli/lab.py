"""`heorot lab`: a virtual cluster of Linux namespaces on this computer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from heorot.cli import lab_options, options
from heorot.errors import UsageError
from heorot.lab.quantities import MOST_NODES, Accounting
from heorot.suggestion import suggest

if TYPE_CHECKING:
    from heorot.lab.model import Policy

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
@lab_options.link_options
@click.option(
    "--second", type=options.Read("rate", lab_options.read_rate), metavar="RATE",
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
@lab_options.policy_options
@click.option(
    "--shared", multiple=True, metavar="DIR",
    type=options.DIRECTORY,
    help="Directory below /tmp shared by all nodes, which have their own /tmp; repeatable.",
)  # fmt: skip
@lab_options.name_option
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
    from heorot.cli.terminal.laboratories import command_about, described
    from heorot.lab.model import Link
    from heorot.session import laboratory

    made = laboratory.up(
        laboratory.LabRequest(
            name=name,
            n_nodes=n_nodes,
            cpus_per_node=cpus,
            link=Link(rate_bits=lab_options.bits(bandwidth), latency_seconds=latency or 0.0),
            second_rate_bits=lab_options.bits(second),
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
@lab_options.name_option
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND...")
def run(nodes: str, user: str | None, name: str, words: tuple[str, ...]) -> int:
    """Run COMMAND on the head node or on several nodes. Returns the highest exit code."""
    from heorot.session import laboratory

    return laboratory.run(name, [word for word in nodes.split(",") if word], words, user)


@command.command(name="status", epilog="Example: heorot lab status --name batch")
@click.option(
    "--name",
    callback=lambda *given: given[2] and lab_options.check_name(*given),
    help="Lab. Default: all.",
)
def status(name: str | None) -> int:
    """Show the state, load, memory and traffic of each node."""
    from heorot.cli.terminal.laboratories import print_status
    from heorot.session import laboratory

    names = [name] if name else laboratory.names()
    if not names:
        raise UsageError("there is no lab", f"start one: {suggest('lab', 'up')}")
    for each in names:
        print_status(laboratory.look(each))
    return 0


@command.command(name="kill", epilog="Example: heorot lab kill n2")
@click.argument("node")
@lab_options.name_option
def kill(node: str, name: str) -> int:
    """Kill NODE and all its processes, as in a power failure."""
    from heorot.cli.terminal.laboratories import command_about
    from heorot.session import laboratory

    killed = laboratory.kill(name, node)
    click.echo(f"{node} is dead; bring it back: {command_about(name, 'heal', node)}" if killed
               else f"{node} was dead already")  # fmt: skip
    return 0


@command.command(name="cut", epilog="Example: heorot lab cut n2")
@click.argument("node")
@lab_options.name_option
def cut(node: str, name: str) -> int:
    """Take the network link of NODE down. Its processes keep running."""
    from heorot.cli.terminal.laboratories import command_about
    from heorot.session import laboratory

    was_up = laboratory.cut(name, node)
    click.echo(f"{node} is cut off; connect it: {command_about(name, 'heal', node)}" if was_up
               else f"{node} was cut off already")  # fmt: skip
    return 0


@command.command(name="heal", epilog="Example: heorot lab heal n2")
@click.argument("node")
@lab_options.name_option
def heal(node: str, name: str) -> int:
    """Repair NODE: restart it, connect it, return it to Slurm."""
    from heorot.cli.terminal.laboratories import command_about
    from heorot.session import laboratory

    done = laboratory.heal(name, node)
    click.echo(f"{node}: {', '.join(done)}" if done else f"{node} is well")
    for other, state in laboratory.unwell(name).items():
        click.echo(f"{other} is {state}; bring it back: {command_about(name, 'heal', other)}")
    return 0


@command.command(
    name="shape", epilog="Example: heorot lab shape n1 n2 --bandwidth 10mbit --latency 1ms"
)
@click.argument("nodes", nargs=-1)
@lab_options.link_options
@lab_options.name_option
def shape(nodes: Sequence[str], bandwidth: float | None, latency: float | None, name: str) -> int:
    """Change bandwidth or latency of the links of NODES, or of all nodes."""
    from heorot.session import laboratory

    fields: dict[str, float | None] = {}
    if bandwidth is not None:
        fields["rate_bits"] = lab_options.bits(bandwidth)
    if latency is not None:
        fields["latency_seconds"] = latency
    if not fields:
        raise UsageError("nothing to change", "give --bandwidth, --latency or both")
    laboratory.shape(name, nodes, **fields)
    click.echo(f"links of {', '.join(nodes) or 'all nodes'} changed")
    return 0


@command.command(name="down", epilog="Example: heorot lab down --name batch")
@lab_options.name_option
def down(name: str) -> int:
    """Stop a lab and everything that runs in it, whatever its state."""
    from heorot.session import laboratory

    click.echo(f"the lab {name} is gone" if laboratory.down(name) else f"there is no lab {name}")
    return 0
