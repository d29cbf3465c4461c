"""Simulated batch systems: workloads of files and models under several policies."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from heorot import __version__
from heorot.build.programs import cache_directory
from heorot.build.sources import native_directory, source_digest
from heorot.errors import SetupError, UsageError
from heorot.files import read_regular
from heorot.machine.cpus.topology import read_cpus
from heorot.machine.kernel.tree import ROOT
from heorot.machine.platform import host_isa
from heorot.machine.processor import read_processor
from heorot.store.atomic import explaining, write_bytes
from heorot.store.place import require_place
from heorot.suggestion import suggest
from heorot.throughput.analyse.measures import measure
from heorot.throughput.analyse.whole.taken import taken_nodes
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.simulate.demand import begin_of
from heorot.throughput.simulate.measured import reservations_of, workload_from_timeline
from heorot.throughput.simulate.run import TooSlowError, never_started, simulate
from heorot.throughput.simulate.setting import Allocation, Estimates, Setting, parse_policy
from heorot.throughput.simulations.numbers import FILTER, Simulated, quantities
from heorot.throughput.simulations.sources import Source, workload_of
from heorot.throughput.workload.swf import write_swf

__all__ = ["require_place", "simulate_all", "simulate_policies", "write_swf"]

PROGRAM = "harness/schedule"
"""The native core of the simulator."""
COMPARED_POLICIES = ("fcfs", "easy", "conservative")
"""Policies simulated with the jobs of a real test."""
PAGE, NUMBERS = "report.html", "simulations.json"

# Conservative backfilling of individual nodes takes minutes for thousands of jobs; the comparison
# with a real test leaves it out then.
_MOST_DAY_SECONDS = 10.0
# Batch systems report whole seconds, and clocks of nodes differ: jobs that overlap by less may be
# sequential.
_TOGETHER_SECONDS = 1.0
_Report = Callable[[str], None]


def simulate_all(
    source: Source,
    settings: Sequence[Setting],
    seeds: Sequence[int],
    report: _Report = lambda _: None,
) -> Iterator[Simulated]:
    """Simulate a workload under every setting, each with every seed.

    Args:
        settings: at least one, all of the same machine.
        seeds: of the workload, if it is a model, and of estimates.

    Raises:
        UsageError: several seeds give the same jobs, or something cannot be simulated.
        BuildError: the core does not compile.
    """
    if len(seeds) > 1 and not source.is_model and settings[0].estimates.kind != "uniform":
        raise UsageError(
            "every seed gives the same jobs: they are those of a file",
            "leave --seeds out, draw estimates (--estimates uniform:5), or take a model",
        )
    program = find_schedule(report)
    first = settings[0]
    for seed in seeds:
        workload = workload_of(source, first.n_nodes, first.cores_per_node, seed)
        for setting in settings:
            own = replace(setting, seed=seed)
            name = setting.policy.name
            report(f"simulating {workload.jobs.size} jobs under {name}, seed {seed}")
            timeline = simulate(workload, own, program, report)
            yield Simulated(own, seed, timeline, measure(timeline))


def find_schedule(report: _Report = lambda _: None) -> Path:
    """The native core of the simulator, built by the first toolchain that succeeds.

    Args:
        report: called if it must be built.

    Raises:
        SetupError: there is no compiler.
        BuildError: it does not compile.
    """
    native = native_directory()
    digest = source_digest(native)
    # A search for compilers takes seconds; the build of the core is cached by its dependencies.
    processor = read_processor(read_cpus(ROOT), ROOT, host_isa())
    known = f"{digest}\0{processor.model_dump_json()}"
    cache = cache_directory()
    note = cache / f"schedule-{hashlib.sha256(known.encode()).hexdigest()[:12]}"
    remembered = cache / os.fsdecode(read_regular(note)) if note.is_file() else None
    if remembered is not None and remembered.is_file():
        return remembered
    program = _build(report)
    write_bytes(note, os.fsencode(os.path.relpath(program, cache)))  # the cache may be moved
    return program


def _build(report: _Report) -> Path:
    """The native core, built by the first toolchain that can."""
    from heorot.model.machine.site import Site  # noqa: PLC0415 - seldom needed, as all of these
    from heorot.session.external_programs.launches import find_tool  # noqa: PLC0415
    from heorot.session.external_programs.toolchains import compiles  # noqa: PLC0415
    from heorot.session.inspection import describe_machine, list_toolchains  # noqa: PLC0415

    machine = describe_machine(Path.cwd(), Site())
    chains = [each for each in list_toolchains(machine, Site()) if compiles(each)]
    if not chains:
        raise SetupError(
            "the simulator needs a C++20 compiler", f"{suggest('doctor')} reports more"
        )
    report("building the simulator")
    return find_tool(PROGRAM, "the simulator", chains, machine)


def simulate_policies(
    timeline: Timeline, report: _Report = lambda _: None
) -> Mapping[str, Timeline]:
    """The jobs of a real test under FCFS, EASY and conservative backfilling.

    Run times are the measured ones, estimates the limits of the jobs. Nodes are shared as in the
    test, and nodes held by others are reserved, which the policies know beforehand. Slow
    simulations are left out.

    Raises:
        BuildError: the simulator does not compile.
    """
    workload = workload_from_timeline(timeline, "a throughput test")
    if not np.any(workload.jobs["run"] >= 0):
        return {}
    program = find_schedule(report)
    taken = taken_nodes(timeline)
    begin = begin_of(workload.jobs)
    allocation: Allocation = "packed" if _shares_nodes(timeline) else "exclusive"
    simulated = {}
    for name in COMPARED_POLICIES:
        policy = parse_policy(name)
        report(f"simulating the jobs under {name}")
        setting = Setting(
            policy,
            timeline.n_nodes,
            timeline.cores_per_node,
            allocation,
            estimates=Estimates("limit"),
            reservations=reservations_of(taken, timeline.n_nodes, begin) if taken else (),
        )
        try:
            made = simulate(workload, setting, program, most_seconds=_MOST_DAY_SECONDS)
            simulated[name] = replace(made, taken=taken)
        except TooSlowError as error:
            report(f"{name} is left out: {error}")
    return simulated


def _shares_nodes(timeline: Timeline) -> bool:
    """Whether jobs ever shared a node; without known nodes, whether a job left cores free."""
    if not timeline.places.size:
        return bool(np.any(timeline.cores < timeline.nodes * timeline.cores_per_node))
    job = np.repeat(np.arange(timeline.submit.size), np.diff(timeline.offsets))
    ran = ~(np.isnan(timeline.start[job]) | np.isnan(timeline.end[job]))
    node, begin, end = timeline.places[ran], timeline.start[job][ran], timeline.end[job][ran]
    if not node.size:
        return False
    # All nodes on one axis, each after the times of the previous one.
    shift = node * (float(end.max() - begin.min()) + 2.0 * _TOGETHER_SECONDS)
    order = np.argsort(begin + shift, kind="stable")
    begin, end = (begin + shift)[order], (end + shift)[order]
    return bool(np.any(begin[1:] < np.maximum.accumulate(end)[:-1] - _TOGETHER_SECONDS))


def keep(simulated: Sequence[Simulated], out: Path, *, title: str, command: Sequence[str]) -> Path:
    """Write the page of simulations, with the graphs of the first seed and the metrics of all.

    Returns:
        The page.

    Raises:
        SetupError: it cannot be written.
    """
    # Both are slow to load.
    from heorot.throughput.analyse.claims.simulation_verdict import simulation_sentences  # noqa: PLC0415
    from heorot.throughput.report.simulation import write_simulation  # noqa: PLC0415

    with explaining(out):
        out.mkdir(parents=True, exist_ok=True)
    first = {each.setting.policy.name: each for each in simulated if each.seed == simulated[0].seed}
    numbers = [
        {
            "policy": each.setting.policy.name,
            "seed": each.seed,
            "definition": each.setting.definition,
            "nodes": each.setting.n_nodes,
            "cores_per_node": each.setting.cores_per_node,
            "most_reservations": each.setting.most_reservations
            if each.setting.policy.backfill == "conservative"
            else None,
            **{
                name: None if np.isnan(value) else value
                for name, value in quantities(each.measures).items()
            },
        }
        for each in simulated
    ]
    content = {"heorot": __version__, "filter": FILTER, "command": command, "simulations": numbers}
    write_bytes(out / NUMBERS, json.dumps(content, indent=1).encode())
    measures = {name: each.measures for name, each in first.items()}
    with explaining(out / PAGE):
        write_simulation(
            {name: each.timeline for name, each in first.items()},
            measures,
            out / PAGE,
            title=title,
            facts=[(name, each.setting.definition) for name, each in first.items()],
            command=command,
            verdict=tuple(simulation_sentences(measures)),
            troubles=never_started(simulated[0].timeline),
        )
    return out / PAGE
