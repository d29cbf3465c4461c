"""Placement of ranks: shared cores, and unused nodes."""

from __future__ import annotations

import pytest

from heorot.analyse.validity.placement import find_misplaced, find_mixed, find_shared
from heorot.model.machine.cores import Cores
from heorot.model.machine.machine import Limits
from heorot.model.run.outcome import Outcome
from tests.unit.analyse.builders import a_machine, a_run_line, a_step

A, B = "node-a", "node-b"
_ONE = ("0", "1", "2", "3")
_TWO = ("0,4", "1,5", "2,6", "3,7")


@pytest.mark.parametrize(
    ("places", "threads", "cores", "where"),
    [
        ([(A, (0,)), (A, (0,))], 1, _ONE, ["node-a CPU 0"]),
        ([(A, (0, 4)), (A, (0, 4))], 1, _TWO, ["node-a CPU 0,4"]),  # one core, two hardware threads
        ([(A, (0,))], 2, _ONE, ["node-a CPU 0"]),  # two threads bound to one core
        ([(A, (0, 1, 2, 3)), (A, (0, 1, 2, 3))], 3, _ONE, ["node-a CPU 0-3"]),
        ([(A, (0,)), (A, (1,))], 1, _ONE, []),
        ([(A, (0,)), (B, (0,))], 1, _ONE, []),  # another node's CPU 0
        ([(A, (0, 1, 2, 3)), (A, (0, 1, 2, 3))], 2, _ONE, []),  # free to move, with room
        ([(A, (0, 4)), (A, (1, 5))], 1, _TWO, []),
        ([(A, (3,))], 1, _TWO, []),
        # Two E cores next to P cores of two threads each.
        ([(A, (4, 5)), (A, (4, 5))], 1, ("0-1", "2-3", "4", "5"), []),
        ([(A, (0, 1)), (A, (0, 1))], 1, ("0-1", "2-3", "4", "5"), ["node-a CPU 0-1"]),
        # one hardware thread given to one thread
        ([(A, ()), (A, ())], 1, _ONE, []),  # unknown
    ],
)
def test_shared_cores(
    places: list[tuple[str, tuple[int, ...]]],
    threads: int,
    cores: tuple[str, ...],
    where: list[str],
) -> None:
    node = a_machine().node.model_copy(update={"cores": (Cores(cpus=cores),)})
    assert list(find_shared(a_run_line(places, threads), node.count_cores)) == where


def test_shared_cores_name_the_ranks() -> None:
    places = [(A, (0,)), (A, (1,)), (A, (0,))]
    (shared,) = find_shared(a_run_line(places), len).values()
    assert [place.rank for place in shared] == [0, 2]


@pytest.mark.parametrize(
    ("hosts", "nodes", "per_node", "words"),
    [
        ((A, A), 2, 1, "ran on 1 of 2 nodes (node-a)"),
        ((A, A, A, B), 2, 2, "had 3 ranks on node-a instead of 2"),
        ((A, B), 2, 1, ""),
        ((A, A), 1, 2, ""),
    ],
)
def test_a_figure_between_nodes_needs_nodes(
    hosts: tuple[str, ...], nodes: int, per_node: int, words: str
) -> None:
    step = a_step(nodes=nodes, ranks=len(hosts), per_node=per_node)
    run = a_run_line([(host, (rank,)) for rank, host in enumerate(hosts)])
    found = find_misplaced([Outcome(step=step.id, state="completed", run=run)], [step])
    assert words in "".join(reason.text for reason in found.values())
    assert bool(found) == bool(words)


def test_what_never_started_was_not_misplaced() -> None:
    step = a_step(nodes=2)
    assert find_misplaced([Outcome(step=step.id, state="lost")], [step]) == {}


@pytest.mark.parametrize(
    ("launches", "counts"),
    [
        (((0,), (0, 1, 2, 3)), ("1", "1")),
        (((0,), (3,), (0, 1, 2, 3)), ("2", "1")),
        (((0,), (3,)), ()),
        (((0, 1, 2, 3), (0, 1, 2, 3)), ()),
        (((0,), ()), ()),  # one has no placement
    ],
)
def test_launches_that_were_bound_and_others_are_not_one_series(
    launches: tuple[tuple[int, ...], ...], counts: tuple[str, ...]
) -> None:
    steps = [a_step(id=f"S{n}", launch=n + 1) for n in range(len(launches))]
    outcomes = [
        Outcome(step=step.id, state="completed", run=a_run_line([(A, cpus)]))
        for step, cpus in zip(steps, launches, strict=True)
    ]
    machine = a_machine(4, limits=Limits(n_allowed_cpus=4))
    found = find_mixed(outcomes, steps, machine)
    assert [row[3:] for one in found for row in one.rows] == [counts] * bool(counts)
    assert all(one.severity == "warning" and "others were not" in one.text for one in found)


def test_whole_nodes_and_single_cores_of_different_cases_are_not_mixed() -> None:
    steps = [a_step(id="S1"), a_step(id="S2", case="all_cores", threads=4)]
    runs = (a_run_line([(A, (0,))]), a_run_line([(A, (0, 1, 2, 3))], 4))
    outcomes = [
        Outcome(step=step.id, state="completed", run=run)
        for step, run in zip(steps, runs, strict=True)
    ]
    assert find_mixed(outcomes, steps, a_machine(4, limits=Limits(n_allowed_cpus=4))) == []
