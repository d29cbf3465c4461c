"""The policy of messages/thread_rate: half of the cores for each of two ranks."""

from __future__ import annotations

import pytest

from heorot.families.messages.between_two.thread_rate import THREAD_RATE
from heorot.model.catalogue.benchmark import PROFILES
from tests.unit.analyse.builders import a_machine


@pytest.mark.parametrize(
    ("cores", "threads", "needed"), [(1, 2, 4), (2, 2, 4), (3, 2, 4), (4, 2, 4), (9, 4, 8)]
)
def test_the_threads_of_two_ranks_share_the_cores(cores: int, threads: int, needed: int) -> None:
    for profile in PROFILES:
        (case,) = THREAD_RATE.cases(a_machine(cores), profile)
        assert (case.ranks, case.threads, case.needs_cores) == (2, threads, needed)


def test_more_threads_than_cores_take_longer() -> None:
    (crowded,) = THREAD_RATE.cases(a_machine(2), "smoke")
    (alone,) = THREAD_RATE.cases(a_machine(4), "smoke")
    assert alone.needs.seconds < 0.5
    assert crowded.needs.seconds > alone.needs.seconds + 1.0


def test_nodes_have_a_thread_on_every_core() -> None:
    assert THREAD_RATE.over_nodes is not None
    (case,) = THREAD_RATE.over_nodes(a_machine(8), "quick", 2)
    assert (case.ranks, case.threads, case.nodes, case.needs_cores) == (2, 8, 2, 16)
    assert THREAD_RATE.over_nodes(a_machine(8), "quick", 3) == ()
    assert THREAD_RATE.over_nodes(a_machine(1), "quick", 2) == ()
