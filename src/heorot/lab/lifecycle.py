"""Starts labs and takes them down."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import heorot
from heorot import process
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError, UsageError
from heorot.lab import network, requirements, site, storage
from heorot.lab.client import SUPERVISOR, LabClient
from heorot.lab.inside.agent import SOCKETS, working_directory
from heorot.lab.inside.node import OWN
from heorot.lab.inside.supervisor import may_administer
from heorot.lab.model import Laboratory, Link, Policy, nodes_for
from heorot.lab.processes import kill_marked, marked
from heorot.lab.quantities import Accounting
from heorot.lab.slurm import daemons, users
from heorot.lab.slurm.configuration import environment as slurm_environment
from heorot.lab.switch import Switch, wiring_for
from heorot.suggestion import suggest
from heorot.units import format_duration
from heorot.writing import write

_START_SECONDS = 20.0


_SETTINGS = "settings.json"


@dataclass(frozen=True)
class LabRequest:
    """The request for a lab.

    Attributes:
        name: its name in commands.
        switch: source of a delaying switch, if the kernel cannot delay.
        cpus_per_node: processors that each node reports; None divides the real ones.
        slurm: whether it has a batch system.
        second_rate_bits: rate of a second network on the same links; None for none [bit/s].
        shared: directories that all nodes see although they are below /tmp or /dev/shm.
    """

    name: str
    n_nodes: int
    switch: Switch
    cpus_per_node: int | None = None
    link: Link = field(default_factory=Link)
    second_rate_bits: float | None = None
    slurm: bool = False
    accounting: Accounting = "file"
    policy: Policy = field(default_factory=Policy)
    is_open: bool = False
    shared: Sequence[Path] = ()
    report: Callable[[str], None] = lambda _line: None


def up(order: LabRequest) -> Laboratory:
    """Create a lab; after a failure nothing of it remains.

    Raises:
        UsageError: there is one of that name, or the request contradicts itself.
        SetupError: this machine lacks a program, or the kernel refuses.
        KeyboardInterrupt: the user asked for the end.
    """
    requirements.require(slurm=order.slurm, accounting=order.accounting)
    directory = storage.directory_of(order.name)
    laboratory = _plan(order)
    storage.make_private(directory)
    with storage.locked(directory):
        if marked(storage.mark_of(directory)):
            raise UsageError(
                f"the lab {order.name} is up already",
                f"end it: {suggest('lab', 'down', '--name', order.name)}, or choose another --name",
            )
        try:
            return _make(order, laboratory, directory)
        except BaseException:
            with suppress(SetupError):  # the original error is reported
                kill_marked(storage.mark_of(directory))
                users.remove(directory)
                storage.remove(directory)
            raise


def down(name: str, clock: Clock = SYSTEM_CLOCK) -> bool:
    """End a lab with all its processes; returns whether there was any of it.

    Raises:
        UsageError: this process is in it.
        SetupError: some processes do not end, or it is not ours alone; its directory remains.
    """
    directory = storage.directory_of(name)
    storage.require_own(directory)
    if os.environ.get(storage.MARK) == storage.mark_of(directory):
        raise UsageError(f"this is inside the lab {name}", "end it from outside")
    was_running = kill_marked(storage.mark_of(directory), clock)
    was_open = users.remove(directory)
    return storage.remove(directory) or was_open or was_running


def shared_directories(wanted: Sequence[Path], directory: Path) -> list[str]:
    """Directories below the private ones of each node that all nodes must share."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    package = Path(heorot.__file__).resolve().parent
    usual = [Path(working_directory()), directory, Path(cache), package.parent.parent]
    usual += [Path(sys.prefix), Path(sys.base_prefix)]
    below = {
        path
        for path in (each.resolve() for each in (*wanted, *usual))
        if path.is_dir() and any(Path(own) in path.parents for own in OWN)
    }
    return sorted(str(path) for path in below if not below & set(path.parents))


def shared_of(directory: Path) -> list[str]:
    """The directories that all nodes of a lab share, though they are below private ones."""
    try:
        found: list[str] = json.loads((directory / _SETTINGS).read_text(encoding="utf-8"))["shared"]
    except (OSError, ValueError, KeyError):
        return []
    return found


def _plan(order: LabRequest) -> Laboratory:
    if order.accounting != "file" and not order.slurm:
        raise UsageError("a lab without Slurm keeps no accounts", "add --slurm")
    if order.policy != Policy() and not order.slurm:
        raise UsageError("a lab without Slurm does not schedule jobs", "add --slurm")
    if order.is_open and not order.slurm:
        raise UsageError("a lab without Slurm cannot be opened to other users", "add --slurm")
    if order.is_open and os.geteuid() != 0:
        raise SetupError("only root can open a lab to other users", "use sudo, or leave out --open")
    if (order.second_rate_bits or 0.0) > (order.link.rate_bits or math.inf):
        raise UsageError(
            "the second network cannot be faster than the links that it shares",
            "--second takes a rate below that of --bandwidth",
        )
    real = tuple(sorted(os.sched_getaffinity(0)))
    cpus = order.cpus_per_node or max(1, len(real) // order.n_nodes)
    is_user = not may_administer(Path("/proc/self/status").read_text(encoding="utf-8"))
    if order.slurm and is_user:
        raise SetupError(
            "a lab with Slurm needs root: its daemons change users",
            "leave out --slurm, or use sudo",
        )
    return Laboratory(
        name=order.name,
        nodes=tuple(nodes_for(order.n_nodes, cpus, real, order.link)),
        cpus_per_node=cpus,
        n_real_cpus=len(real),
        second_rate_bits=order.second_rate_bits,
        slurm=order.slurm,
        accounting=order.accounting,
        policy=order.policy,
        is_open=order.is_open,
        own_user_namespace=is_user,
    )


def _make(order: LabRequest, laboratory: Laboratory, directory: Path) -> Laboratory:
    storage.clear(directory)
    (directory / SOCKETS).mkdir(mode=0o700, exist_ok=True)
    write(directory / "hosts", network.hosts_table(laboratory))
    (directory / "hosts").chmod(0o644)  # readable on nodes, whatever the umask
    storage.save(directory, laboratory)
    site.write(directory, laboratory)
    if laboratory.is_open:
        users.make(directory)
    _start_supervisor(order, laboratory, directory)
    client = LabClient(directory)
    laboratory = laboratory.model_copy(update={"wiring": wiring_for(client, order.link)})
    storage.save(directory, laboratory)
    order.report(f"starting {len(laboratory.nodes)} nodes and a head")
    client.operate(
        SUPERVISOR, "start", nodes={node.name: node.cpus for node in laboratory.everyone}
    )
    network.make_bridge(client)
    network.connect(laboratory, client, laboratory.everyone)
    order.switch.follow(laboratory, client)
    if laboratory.is_open:
        users.furnish(laboratory, directory, shared_of(directory))
    if laboratory.slurm:
        order.report("starting Slurm")
        daemons.start(laboratory, client)
    return laboratory


def _start_supervisor(order: LabRequest, laboratory: Laboratory, directory: Path) -> None:
    settings = {
        "directory": str(directory),
        "shared": shared_directories(order.shared, directory),
        "own_user_namespace": laboratory.own_user_namespace,
        "environment": _environment(directory, laboratory),
        "defaults": _defaults(directory, laboratory),
    }
    file = directory / _SETTINGS
    write(file, json.dumps(settings))
    done = process.run(
        [sys.executable, "-m", "heorot.lab.inside.supervisor", file],
        timeout_seconds=_START_SECONDS,
        environment=os.environ | {storage.MARK: storage.mark_of(directory)},
        cwd=Path("/"),
    )
    if done.code == requirements.OUT_OF_TIME:
        raise SetupError(
            f"the lab has not begun within {format_duration(_START_SECONDS)}",
            "nothing of it is left; check the load of this machine and try again",
        )
    if not done.ok:
        lines = done.err.strip().splitlines() or [f"exit code {done.code}"]
        raise SetupError(
            f"the kernel refuses namespaces: {lines[-1]}",
            "as root, or: sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000"
            if laboratory.own_user_namespace
            else "containers need CAP_SYS_ADMIN, CAP_NET_ADMIN and an unmasked /proc",
        )


def _environment(directory: Path, laboratory: Laboratory) -> dict[str, str]:
    """Variables of all processes on a node."""
    own = {storage.MARK: storage.mark_of(directory)}
    return own | (slurm_environment(directory, laboratory) if laboratory.slurm else {})


def _defaults(directory: Path, laboratory: Laboratory) -> dict[str, str]:
    """Variables by which MPI launchers reach the other nodes; the user's take precedence."""
    agent = str(directory / site.AGENT)
    variables = {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_plm_rsh_agent": agent,
        "PRTE_MCA_plm_ssh_agent": agent,
    }
    if not laboratory.slurm:  # hydra detects Slurm
        variables |= {"HYDRA_LAUNCHER": "rsh", "HYDRA_LAUNCHER_EXEC": agent}
    return variables
