"""The policy of messages/loggp: few sizes, two ranks, and a time that its options explain."""

from __future__ import annotations

import pytest

from heorot.families.messages.between_two.loggp import LOGGP
from heorot.model.catalogue.benchmark import PROFILES
from tests.unit.analyse.builders import a_machine


def test_two_ranks_need_two_cores_and_little_time() -> None:
    seconds = []
    for profile in PROFILES:
        (case,) = LOGGP.cases(a_machine(8), profile)
        assert (case.ranks, case.needs_cores, case.nodes) == (2, 2, 1)
        seconds.append(case.needs.seconds)
    assert seconds == sorted(seconds)
    assert seconds[0] < 0.5
    assert seconds[1] < 2.0


def test_one_case_is_between_two_nodes() -> None:
    assert LOGGP.over_nodes is not None
    for profile in PROFILES:
        (case,) = LOGGP.over_nodes(a_machine(8), profile, 2)
        assert (case.name, case.nodes, case.ranks) == ("two_nodes", 2, 2)
        assert LOGGP.over_nodes(a_machine(8), profile, 4) == ()


def test_more_sizes_take_more_time() -> None:
    assert LOGGP.estimate is not None
    (case,) = LOGGP.cases(a_machine(8), "quick")

    def estimated(**options: object) -> tuple[float, int]:
        asked = case.model_copy(update={"options": {"budget": 1.0} | options})
        one = LOGGP.estimate(a_machine(8), asked)  # type: ignore[misc]
        return one.needs.seconds, one.needs.memory_bytes

    assert estimated(sizes="1,64") == pytest.approx((5.0, 256), rel=1e-3)
    assert estimated(sizes="1,64,1024")[0] == pytest.approx(7.5, rel=1e-3)
    assert estimated()[0] == pytest.approx(42.5, rel=1e-3)
    # 1, 2, 3, 4, 6, 8, 11... of which the smallest are met twice
    assert estimated(**{"points-per-octave": 2})[0] == pytest.approx(80.0, rel=0.05)
