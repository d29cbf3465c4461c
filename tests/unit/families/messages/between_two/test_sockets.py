"""The policy of messages/sockets: two ranks in a node or in two, and time for every transport."""

from __future__ import annotations

import pytest

from heorot.families.messages.between_two.sockets import SOCKETS
from heorot.model.catalogue.benchmark import PROFILES
from tests.unit.analyse.builders import a_machine


def test_two_ranks_are_in_one_node_or_in_two() -> None:
    assert SOCKETS.over_nodes is not None
    for profile in PROFILES:
        (inside,) = SOCKETS.cases(a_machine(8), profile)
        (between,) = SOCKETS.over_nodes(a_machine(8), profile, 2)
        assert (inside.ranks, inside.nodes, inside.needs_cores) == (2, 1, 2)
        assert (between.ranks, between.nodes) == (2, 2)
        assert SOCKETS.over_nodes(a_machine(8), profile, 4) == ()


def test_short_profiles_are_short() -> None:
    seconds = [SOCKETS.cases(a_machine(8), profile)[0].needs.seconds for profile in PROFILES]
    assert seconds == sorted(seconds)
    assert seconds[0] < 0.5
    assert seconds[1] < 2.0


@pytest.mark.parametrize(
    ("options", "points", "memory"),
    [
        ({"sizes": "1,8,1000"}, 6 * 3, 4000),
        ({"sizes": "8", "transports": "tcp,udp"}, 2, 32),
        ({"max-bytes": 1024}, 6 * 11, 4096),
        ({"max-bytes": 1024, "min-bytes": 256, "transports": "tcp"}, 3, 4096),
    ],
)
def test_time_and_memory_follow_the_options(
    options: dict[str, bool | int | float | str], points: int, memory: int
) -> None:
    assert SOCKETS.estimate is not None
    machine = a_machine(2)
    case = SOCKETS.tiny.model_copy(update={"options": {**options, "budget": 0.5}})
    estimated = SOCKETS.estimate(machine, case)
    assert estimated.needs.seconds == pytest.approx(points * 0.3, rel=1e-3)
    assert estimated.needs.memory_bytes == memory
