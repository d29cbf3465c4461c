"""The policy of messages/ring: all cores, figures per rank, short profiles that are short."""

from __future__ import annotations

import numpy as np
import pytest

from heorot.families.messages.among_all.ring import RING
from heorot.model.analysis.group import metric_values
from heorot.model.catalogue.benchmark import PROFILES
from tests.unit.analyse.builders import a_machine, a_series


def test_a_ring_has_a_rank_on_every_core() -> None:
    for profile in PROFILES:
        (case,) = RING.cases(a_machine(8), profile)
        assert (case.ranks, case.nodes, case.needs_cores) == (8, 1, 8)
    assert RING.over_nodes is not None
    cases = RING.over_nodes(a_machine(8), "standard", 4)
    assert [(case.ranks, case.per_node) for case in cases] == [(32, 8), (4, 1)]


def test_profiles_take_longer_one_after_the_other() -> None:
    seconds = [RING.cases(a_machine(8), profile)[0].needs.seconds for profile in PROFILES]
    assert seconds == sorted(seconds)
    assert seconds[0] < 0.5
    assert seconds[1] < 2.0


def test_a_rank_has_buffers_for_both_directions() -> None:
    (case,) = RING.cases(a_machine(8), "quick")
    assert case.needs.memory_bytes >= 8 * 4 * (4 << 20)


def test_figures_are_those_of_a_rank() -> None:
    # Three orders of four ranks, 100 bytes, in 6 ms: each rank sends 3 messages of 100 bytes.
    series = a_series(
        benchmark=RING.name,
        ranks=4,
        region="random",
        point={"bytes": 100},
        counts={"messages": 12.0, "bytes": 1200.0},
        repetitions=1,
        seconds=np.array([6e-3]),
    )
    values = {metric.name: float(metric_values(series, metric)[0]) for metric in RING.metrics}
    assert values == {"bandwidth": pytest.approx(50e3), "latency": pytest.approx(2e-3)}
