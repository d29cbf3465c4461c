"""Compares a site file with the actual site."""

from __future__ import annotations

import shlex
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from heorot import process
from heorot.build.diagnosis import Diagnosis
from heorot.build.toolchains import load_modules
from heorot.errors import FileError, HeorotError
from heorot.jobs.status import read_status
from heorot.launch.job import write_job
from heorot.launch.target import ExecutionTarget
from heorot.machine.nodes.read import COPY_SCRIPT, read_copies
from heorot.model.machine.nodes import NodeCopy
from heorot.model.machine.site import Site, SiteHost
from heorot.model.machine.toolchain import Toolchain, word_compiler
from heorot.model.run.request import TargetRequest
from heorot.session.cluster.resolve import resolve_target
from heorot.units import format_duration

_MOST_ODD = 8
_ANSWER_SECONDS = 15.0
_PROBE_SECONDS = 60.0
_AT_ONCE = 32


class Checked(NamedTuple):
    """Result of a check of a site file.

    Attributes:
        claims: of the file, and whether each is true.
        nodes: their own descriptions from the probe job.
    """

    claims: Sequence[Diagnosis]
    nodes: Sequence[NodeCopy] = ()


def check_site(file: Path, site: Site, *, probe: bool = False) -> Checked:
    """Check every claim of a site file.

    Args:
        probe: whether to submit a job, which describes its nodes.

    Raises:
        SiteError: the file is invalid.
    """
    try:
        target = resolve_target(TargetRequest(site=file), site, 1)
    except HeorotError as error:
        if isinstance(error, FileError):
            raise
        return Checked([Diagnosis("batch system", "", needed=True, remedy=_words_of(error))])
    work = (site.work or Path()).absolute()
    found = [each for chain in site.toolchains for each in _toolchain(chain)]
    found += _batch(target)
    found += _hosts(target, work)
    if not probe:
        return Checked(found)
    probed, nodes = _probe(target, work)
    return Checked([*found, probed], nodes)


def _toolchain(chain: Toolchain) -> Iterator[Diagnosis]:
    """Its compiler, its MPI, and its modules."""
    try:
        loaded = load_modules(chain)
    except HeorotError as error:
        yield Diagnosis(f"modules of {chain.name}", "", needed=True, remedy=str(error))
        return
    search = loaded.environment.get("PATH")
    wanted = {word_compiler(each.kind): each.command for each in chain.compilers}
    if chain.mpi is not None:
        wanted |= {"MPI wrapper": chain.mpi.cxx, "launcher": chain.mpi.mpiexec}
    for what, command in wanted.items():
        place = shutil.which(command, path=search) or ""
        yield Diagnosis(
            f"{what} of {chain.name}", place, needed=True, remedy=f"there is no {command}"
        )


def _batch(target: ExecutionTarget) -> Iterator[Diagnosis]:
    """The batch system, its queue, and the states of its nodes."""
    client, queue = target.client, target.queue
    if target.batch is None or client is None:
        return
    dialect, limit = client.dialect, target.batch.time_limit_seconds
    longest = f"jobs of up to {format_duration(limit)}" if limit else "no time limit"
    limits = f"queue {queue.name}, {longest}" if queue.name else longest
    yield Diagnosis(dialect.system, limits, needed=True)
    if not queue.accepts:
        remedy = f"it takes no jobs now: {queue.state}"
        yield Diagnosis(f"queue {queue.name}", "", needed=True, remedy=remedy)
    states: dict[str, int] = {}
    odd: list[str] = []
    for node in client.ask(dialect.nodes()):
        if node.state == "unknown":  # the batch system's own text is more informative
            odd.append(f"{node.name} {node.raw}".strip())
        else:
            states[node.state] = states.get(node.state, 0) + 1
    if states or odd:
        counted = ", ".join(f"{n} {state}" for state, n in sorted(states.items()))
        if odd:
            more = f" and {len(odd) - _MOST_ODD} more" if len(odd) > _MOST_ODD else ""
            counted += f"; not understood: {', '.join(odd[:_MOST_ODD])}{more}"
        yield Diagnosis("nodes", counted, needed=True)


def _hosts(target: ExecutionTarget, work: Path) -> list[Diagnosis]:
    """Whether each host answers without a prompt and sees the shared directories."""
    site = target.site
    if site.batch is not None or not site.hosts:
        return []
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(lambda host: _host(target, host, work), site.hosts))


def _host(target: ExecutionTarget, host: SiteHost, work: Path) -> Diagnosis:
    """One host: its answer, the work directory, the interfaces of the networks."""
    name = host.name
    interfaces = [network.interface for network in target.site.networks if network.interface]
    tests = [f"test -d {shlex.quote(str(work))} || echo it does not see {shlex.quote(str(work))}"]
    tests += [
        f"test -d {shlex.quote(f'/sys/class/net/{each}')} || echo it has no {shlex.quote(each)}"
        for each in interfaces
    ]
    began = time.monotonic()
    command = [*target.agent, name, "; ".join(tests)]
    answer = process.run(command, timeout_seconds=_ANSWER_SECONDS)
    took = format_duration(time.monotonic() - began)
    if not answer.ok:
        error = (answer.err.strip().splitlines() or [f"exit code {answer.code}"])[-1]
        remedy = f"it does not answer: {error}; try: {shlex.join([*target.agent, name, 'true'])}"
        return Diagnosis(f"host {name}", "", needed=True, remedy=remedy)
    lacks = "; ".join(answer.out.split("\n")).strip("; ")
    facts = "; ".join([f"answers in {took}", *_claims(host)])
    return Diagnosis(f"host {name}", "" if lacks else facts, needed=True, remedy=lacks)


def _claims(host: SiteHost) -> list[str]:
    """Facts of a host that only the site file has."""
    port = [f"switch port {host.switch_port}"] if host.switch_port else []
    return [*host.features, *port]


def _probe(target: ExecutionTarget, work: Path) -> tuple[Diagnosis, Sequence[NodeCopy]]:
    """A job without steps on one node: does it start, and see the work directory?"""
    what = "probe job"
    try:
        with tempfile.TemporaryDirectory(prefix="heorot-probe-", dir=work) as folder:
            job = write_job(
                Path(folder) / "J0000", [], target.job_environment(1, _PROBE_SECONDS, COPY_SCRIPT)
            )
            began = time.monotonic()
            target.run(job)
            took = format_duration(time.monotonic() - began)
            status = read_status(job.directory)
            where = _words(status.allocated or status.hosts)
            complaint = target.adapter.complaint(job) or "it wrote no files"
            done = f"ran on {where}, {took} after it was submitted" if status.ended else ""
            copies = [
                copy for place in (job.directory / "nodes").glob("*") for copy in read_copies(place)
            ]
            return Diagnosis(what, done, needed=True, remedy=complaint), copies
    except HeorotError as error:
        return Diagnosis(what, "", needed=True, remedy=_words_of(error)), ()


def _words_of(error: HeorotError) -> str:
    return f"{error}; {error.hint}"


def _words(hosts: Sequence[str]) -> str:
    return ", ".join(hosts) or "an unnamed host"
