"""Candidate cases on the nodes of a machine: all layouts, each node, each type of core."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from heorot.catalogue.sizes import all_cores, memory_bytes
from heorot.errors import UsageError
from heorot.model.catalogue.benchmark import Benchmark, Case
from heorot.model.machine.machine import Machine, Node
from heorot.model.machine.site import Site
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.request import Request
from heorot.plan.candidate import Candidate
from heorot.plan.offer import Offer
from heorot.session.cluster.rounds import rounds_of


def offer_of(
    machine: Machine,
    request: Request,
    site: Site,
    longest_seconds: float | None,
    device_words: Mapping[str, str] | None,
) -> Offer:
    """The common offer of all nodes: fewest cores and least memory.

    Args:
        longest_seconds: time limit of a launch in a job; None for no limit [s].
        device_words: by kind, the request for devices in a job; None if none is needed.
    """
    each = [machine.model_copy(update={"nodes": (node,)}) for node in machine.nodes]
    devices = [node.devices for node in machine.nodes]
    variables = [set(node.device_variables.items()) for node in machine.nodes]
    shared = {network.name for network in site.networks if network.shared}
    return Offer(
        cores=min(map(all_cores, each)),
        memory_bytes=min(map(memory_bytes, each)),
        nodes=request.most_nodes,
        kinds=("", *_common_kinds(machine)),
        seconds=longest_seconds,
        devices={kind: min(one.get(kind, 0) for one in devices) for kind in chain(*devices)},
        device_variables=dict(set.intersection(*variables)),
        device_words=device_words,
        filesystems=machine.filesystems,
        own_nodes=site.batch is None or site.batch.exclusive,
        shared_links=frozenset(shared),
    )


def _kinds(node: Node) -> tuple[str, ...]:
    """The usable types of cores, the fastest first: the empty one if all are alike."""
    return tuple(dict.fromkeys(core.kind for core in node.usable_cores))


def _common_kinds(machine: Machine) -> tuple[str, ...]:
    """The types of cores that each node has."""
    every = [_kinds(node) for node in machine.nodes]
    return tuple(kind for kind in every[0] if kind and all(kind in kinds for kinds in every))


def of_kinds(benchmark: Benchmark, cases: Sequence[Case], machine: Machine) -> Iterator[Case]:
    """Cases of one core for each type of core except the first, which the original cases use.

    Args:
        machine: its first node has the types.
    """
    for kind in filter(None, _kinds(machine.node)[1:]):
        word = re.sub(r"\W+", "_", kind.lower())
        for case in cases:
            if case.name in benchmark.every_kind:
                update = {"name": f"{case.name}_of_{word}", "kind": kind, "priority": "main"}
                yield case.model_copy(update=update)


def candidates_of(
    benchmark: Benchmark,
    toolchain: Toolchain,
    request: Request,
    machine: Machine,
    site: Site,
) -> Iterator[Candidate]:
    """Candidates of a program: on every number of nodes, and by node and type of core."""
    if request.chosen:
        yield Candidate(benchmark, _estimated(benchmark, request.chosen.case, machine), toolchain)
        return
    # Across nodes each case runs over each network.
    choice = [network.name for network in site.networks] if len(site.networks) > 1 else [""]
    for nodes in dict.fromkeys(request.nodes):
        for case in _cases(benchmark, request, machine, nodes):
            for network in choice if nodes > 1 else [""]:
                timed = _over(network, benchmark, case, machine)
                yield Candidate(benchmark, timed, toolchain, network=network)
    alone = _cases(benchmark, request, machine, 1) if 1 in request.nodes else ()
    for case in of_kinds(benchmark, alone, machine):
        yield Candidate(benchmark, case, toolchain)
    yield from _on_each_node(benchmark, toolchain, request, machine, site)


def _on_each_node(
    benchmark: Benchmark,
    toolchain: Toolchain,
    request: Request,
    machine: Machine,
    site: Site,
) -> Iterator[Candidate]:
    """Cases that each node runs by itself, or with the next one.

    Copies that need exclusive use of a shared resource run one after the other.
    """
    most = request.most_nodes
    if most > 1:
        alone = _cases(benchmark, request, machine, 1)
        paired = _cases(benchmark, request, machine, 2)
        for names, cases in ((benchmark.every_node, alone), (benchmark.every_pair, paired)):
            found = {case.name: case for case in cases}
            name = next((name for name in names if name in found), None)
            if name is None:
                continue
            in_turn = any(map(machine.is_between_nodes, found[name].needs.exclusive))
            at_once = 1 if in_turn else site.at_once
            for suffix, rounds in rounds_of(found[name].nodes, most, at_once, request.profile):
                update = {"name": f"{name}_{suffix}", "each_node": True, "priority": "main"}
                case = found[name].model_copy(update=update)
                network = site.networks[0].name if case.nodes > 1 and site.networks[1:] else ""
                timed = _over(network, benchmark, case, machine)
                yield Candidate(benchmark, timed, toolchain, rounds, network)


def _cases(
    benchmark: Benchmark, request: Request, machine: Machine, nodes: int
) -> tuple[Case, ...]:
    own = benchmark.cases(machine, request.profile) if nodes == 1 else ()
    per_node = _ranks_asked(request, machine)
    if benchmark.over_nodes is None or (nodes == 1 and not per_node):
        return own
    filled = benchmark.over_nodes(machine, request.profile, nodes, per_node)
    if nodes > 1:
        return filled
    known = {_layout(benchmark, case) for case in own}
    new = [case for case in filled if _layout(benchmark, case) not in known]
    return (*own, *(case.model_copy(update={"priority": "detail"}) for case in new))


def _layout(benchmark: Benchmark, case: Case) -> tuple[object, ...]:
    """The properties that distinguish cases of one node, names aside."""
    return (case.ranks, case.threads, *case.problem(("star", *benchmark.problem)))


def _ranks_asked(request: Request, machine: Machine) -> tuple[int, ...]:
    """The requested numbers of ranks per node.

    Raises:
        UsageError: no node has that many cores.
    """
    most = max(node.limits.n_usable_cores for node in machine.nodes)
    asked = [all_cores(machine) if each == "all" else each for each in request.per_node]
    for each in asked:
        if each > most:
            raise UsageError(
                f"--per-node {each}: no node has that many cores, the largest has {most}",
                f"ask for {most} or fewer; a dry run assumes that all nodes are like this one",
            )
    return tuple(dict.fromkeys(asked))


def _over(network: str, benchmark: Benchmark, case: Case, machine: Machine) -> Case:
    """A case of the catalogue with its needs over this network; empty if there is no choice."""
    if not network:
        return case
    used = tuple(each for each in machine.networks if each.name == network)
    return _estimated(benchmark, case, machine.model_copy(update={"networks": used}))


def _estimated(benchmark: Benchmark, case: Case, machine: Machine) -> Case:
    """A case with its needs, if its family has an estimate."""
    return benchmark.estimate(machine, case) if benchmark.estimate else case
