"""The policy of messages/pingpong: two ranks, and a copy as the bound of a message."""

from __future__ import annotations

import pytest

from heorot.analyse.scores import make_scores
from heorot.analyse.validity.ceilings import apply_ceilings
from heorot.catalogue.asked import Asked
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.model.catalogue.benchmark import PROFILES
from tests.unit.analyse.builders import a_context, a_machine, a_result


def test_two_ranks_need_two_cores() -> None:
    for profile in PROFILES:
        for case in PINGPONG.cases(a_machine(8), profile):
            assert (case.ranks, case.threads, case.needs_cores) == (2, 1, 2)


def test_only_long_profiles_have_fine_steps_and_other_modes() -> None:
    for profile in PROFILES:
        plain, *others = PINGPONG.cases(a_machine(8), profile)
        assert (plain.name, plain.priority) == ("two_ranks", "headline")
        assert "modes" not in plain.options
        names = ["fine", "modes", "strided"] if profile in {"standard", "full"} else []
        assert [case.name for case in others] == names
        assert {case.priority for case in others} <= {"detail"}


def test_fine_steps_are_those_of_mod1j() -> None:
    fine = [PINGPONG.cases(a_machine(8), profile)[1] for profile in ("standard", "full")]
    assert all((one.options["min-bytes"], one.options["max-bytes"]) == (4, 4e6) for one in fine)
    few, many = (Asked(PINGPONG.name, case).amount("points") for case in fine)
    assert many > 3 * few > 200
    assert fine[0].needs.seconds < fine[1].needs.seconds


def test_time_grows_with_modes_and_memory_with_the_stride() -> None:
    assert PINGPONG.estimate is not None
    machine = a_machine(8)
    plain = PINGPONG.cases(machine, "quick")[0]
    changes: tuple[dict[str, str | int], ...] = (
        {},
        {"modes": "all"},
        {"modes": "vector", "stride": 100},
    )
    standard, every, wide = (
        PINGPONG.estimate(machine, plain.model_copy(update={"options": plain.options | change}))
        for change in changes
    )
    assert standard == plain
    assert every.needs.seconds > 7 * plain.needs.seconds
    assert wide.needs.memory_bytes > 4 * 100 * (4 << 20)


def test_a_message_is_at_least_one_copy() -> None:
    vectors = {"benchmark": "compute/vector_kernels", "region": "copy"}
    message = {"benchmark": PINGPONG.name, "region": "pingpong", "ranks": 2}
    rows = [
        # Two copies of the shortest message do not fit here.
        a_result(**vectors, median=900e9, point={"working_set_bytes": 1500}),
        a_result(**vectors, median=100e9, point={"working_set_bytes": 4096}),
        a_result(**vectors, median=40e9, point={"working_set_bytes": 1 << 20}),
        a_result(**message, median=45e9, point={"bytes": 1024}),
        a_result(**message, median=100e9, point={"bytes": 800}),
        a_result(**message, median=5e9, point={"bytes": 65536}),
        a_result(**message, median=5e9, point={"bytes": 4 << 20}),
    ]
    context = a_context(rows)
    context = context.replacing(apply_ceilings(context))
    judged = list(context.rows)[3:]
    shares = [row.share_of_ceiling for row in judged]
    # A bound is the upper end of its interval.
    assert shares == [pytest.approx(each / 1.01) for each in (0.9, 2.0, 0.25)] + [None]
    assert [row.plausible for row in judged] == [True, False, True, None]


def test_one_case_is_inside_a_node_and_one_between_two() -> None:
    assert PINGPONG.over_nodes is not None
    for profile in PROFILES:
        plain, *others = PINGPONG.over_nodes(a_machine(8), profile, 2)
        assert (plain.name, plain.nodes, plain.ranks) == ("two_nodes", 2, 2)
        assert all((case.nodes, case.ranks) == (2, 2) for case in others)
        assert PINGPONG.over_nodes(a_machine(8), profile, 4) == ()


def test_the_score_card_has_messages_inside_a_node_and_between_nodes_apart() -> None:
    between = {"nodes": 2, "ranks": 2, "case": "two_nodes"}
    latency = {"metric": "latency", "unit": "s", "better": "lower", "point": {"bytes": 8}}
    rate = {"metric": "bandwidth", "point": {"bytes": 4 << 20}}
    message = {"benchmark": PINGPONG.name, "region": "pingpong"}
    rows = [
        a_result(**message, **latency, median=3e-7),
        a_result(**message, **latency, **between, median=2e-5),
        a_result(**message, **rate, median=5e9),
        a_result(**message, **rate, **between, median=9e9, share_of_ceiling=0.72),
    ]
    scores = {score.label: score for score in make_scores(a_context(rows))}
    assert {label: score.result.median for label, score in scores.items()} == {
        "Message latency, 8 B": 3e-7,
        "Message bandwidth, 4 MiB": 5e9,
        "Message latency between nodes, 8 B": 2e-5,
        "Message bandwidth between nodes, 4 MiB": 9e9,
    }
    assert "line rate" in scores["Message bandwidth between nodes, 4 MiB"].ceiling
    inside = make_scores(a_context(rows[::2]))
    assert [score.label for score in inside] == list(scores)[:2]
