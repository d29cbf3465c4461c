"""The policy of messages/exchange: pairs, full nodes and one rank on each of several nodes."""

from __future__ import annotations

import pytest

from heorot.families.messages.among_all.exchange import EXCHANGE
from heorot.model.catalogue.benchmark import PROFILES
from tests.unit.analyse.builders import a_machine


def test_a_pair_and_all_cores_of_a_node_exchange() -> None:
    for profile in PROFILES:
        cases = EXCHANGE.cases(a_machine(8), profile)
        assert [(case.name, case.ranks) for case in cases] == [("two_ranks", 2), ("all_cores", 8)]
        (pair,) = EXCHANGE.cases(a_machine(2), profile)
        assert (pair.name, pair.needs_cores) == ("two_ranks", 2)


def test_between_nodes_one_rank_on_each_is_a_case_of_its_own() -> None:
    assert EXCHANGE.over_nodes is not None
    cases = EXCHANGE.over_nodes(a_machine(8), "standard", 4)
    assert [(case.ranks, case.per_node) for case in cases] == [(32, 8), (4, 1)]


def test_short_profiles_are_short() -> None:
    seconds = {
        profile: max(case.needs.seconds for case in EXCHANGE.cases(a_machine(8), profile))
        for profile in PROFILES
    }
    assert seconds["smoke"] < 0.5
    assert seconds["quick"] < 1.0
    assert seconds["quick"] < seconds["standard"] < seconds["full"] < 10.0


def test_a_rank_has_two_buffers_of_the_largest_message() -> None:
    quick, full = (EXCHANGE.cases(a_machine(8), profile)[-1] for profile in ("quick", "full"))
    assert full.needs.memory_bytes >= 8 * 2 * (4 << 20)
    assert quick.needs.memory_bytes == full.needs.memory_bytes


def test_throughput_of_imb_is_that_of_one_rank() -> None:
    # Four ranks, messages of 100 bytes in a millisecond.
    counts = {"messages": 8.0, "bytes": 800.0, "imb_bytes": 400.0}
    amounts = [metric.amount(counts) for metric in EXCHANGE.metrics]
    assert amounts == [1.0, pytest.approx(800.0), pytest.approx(400.0)]
    assert [metric.is_rate for metric in EXCHANGE.metrics] == [False, True, True]
