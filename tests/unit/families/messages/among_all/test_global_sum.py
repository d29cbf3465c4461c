"""The policy of messages/global_sum: which vectors, on how many ranks, and the published rates."""

from __future__ import annotations

import pytest

from heorot.families.messages.among_all.global_sum import GLOBAL_SUM, PUBLISHED_LENGTHS
from heorot.model.catalogue.benchmark import PROFILES
from tests.unit.analyse.builders import a_machine


def test_published_vectors_stand_in_the_longest_profile() -> None:
    (case, *powers) = GLOBAL_SUM.cases(a_machine(6), "full")
    sizes = [int(size) for size in str(case.options["sizes"]).split(",")]
    assert sizes[-2:] == [8 * length for length in PUBLISHED_LENGTHS]
    assert case.needs.memory_bytes == 6 * 3 * sizes[-1]
    assert [one.ranks for one in (case, *powers)] == [6, 2, 4]
    (small,) = GLOBAL_SUM.cases(a_machine(6), "smoke")
    assert small.needs.seconds < 1.0


def test_nodes_are_full_or_have_one_rank_each() -> None:
    assert GLOBAL_SUM.over_nodes is not None
    for profile in PROFILES:
        cases = GLOBAL_SUM.over_nodes(a_machine(2), profile, 32)
        assert sorted((case.ranks, case.nodes) for case in cases) == [(32, 32), (64, 32)]


def test_the_rate_of_a_rank_is_that_of_the_published_table() -> None:
    # 2^4 processes with L = 16 MiB: 9309 Mbit/s each, so that 8 (2 n L) / t gives t.
    seconds = 8 * 2 * 4 * 16 / 9309
    n_bytes = 4 * 16 * 8 * PUBLISHED_LENGTHS[0]
    counts = {"bytes": n_bytes, "bytes_in_and_out": 2 * n_bytes}
    metric = GLOBAL_SUM.metric("rank_rate")
    assert metric is not None
    assert metric.per_rank
    assert 8 * metric.amount(counts) / 16 / seconds / 1024**2 == pytest.approx(9309)


def test_an_estimate_follows_sizes_however_they_are_given() -> None:
    assert GLOBAL_SUM.estimate is not None
    machine = a_machine(4)
    (case,) = GLOBAL_SUM.cases(machine, "quick")
    seconds = []
    for options in ({"sizes": "8"}, {"max-bytes": "1k"}, {"max-bytes": "64M"}):
        other = case.model_copy(update={"options": {**options, "budget": 0.05}})
        seconds.append(GLOBAL_SUM.estimate(machine, other).needs.seconds)
    assert seconds == sorted(seconds)
    assert seconds[0] < 0.5 * seconds[2]
