"""Corrections of a plan while it runs: dropped launches when time gets short, and further ones."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from heorot.model.catalogue.benchmark import Priority, Profile
from heorot.model.run.identity import Setup
from heorot.model.run.plan import Plan, Step
from heorot.plan.blocks import Known, further_launches, next_block, repeats


def a_step(number: int, case: str, launch: int = 1, priority: Priority = "main") -> Step:
    return Step(
        id=f"S{number:04d}",
        setup=Setup(benchmark="family/program", case=case, toolchain="gnu"),
        launch=launch,
        seconds=1.0,
        memory_bytes=1,
        timeout_seconds=60.0,
        priority=priority,
    )


def a_plan(*steps: Step, profile: Profile = "quick") -> Plan:
    return Plan(profile=profile, seed=1, budget_seconds=None, seconds=0.0, steps=steps, skipped=())


def known(
    left: float,
    seconds: Mapping[str, float] | None = None,
    spreads: Mapping[str, float] | None = None,
) -> Known:
    def by_key(values: Mapping[str, float] | None) -> dict[Setup, float]:
        return {
            Setup("family/program", case, "gnu"): value for case, value in (values or {}).items()
        }

    return Known(by_key(seconds), by_key(spreads), left)


def planned(launches: tuple[int, ...], *cases: str) -> list[Step]:
    return [
        a_step(10 * launch + i, case, launch) for launch in launches for i, case in enumerate(cases)
    ]


def names(steps: tuple[Step, ...] | list[Step]) -> list[str]:
    return [f"{step.case}{step.launch}" for step in steps]


def test_with_time_enough_a_block_is_the_next_launch_of_every_case() -> None:
    steps = planned((2, 3), "b", "a")
    block = next_block(steps, known(100.0), a_plan(*steps))
    assert names(block.steps) == ["b2", "a2"]
    assert block.dropped == ()


def test_what_was_measured_replaces_the_estimate() -> None:
    steps = planned((2,), "a", "b")
    block = next_block(steps, known(2.0, {"a": 1.8}), a_plan(*steps))
    assert names(block.steps) == ["a2"]
    (dropped,) = block.dropped
    assert (dropped.step, dropped.case, dropped.launch) == ("S0021", "b", 2)
    assert dropped.reason == "measuring takes longer than planned"


def test_time_is_taken_from_what_is_certain_but_only_beyond_the_fewest_launches() -> None:
    spreads = {"a": 0.004, "b": 0.2}
    for launch, expected in ((4, ["b4"]), (3, ["a3"])):
        steps = planned((launch,), "a", "b")
        block = next_block(steps, known(1.5, spreads=spreads), a_plan(*steps))
        assert names(block.steps) == expected
    (dropped,) = next_block(planned((4,), "a"), known(0.5, spreads=spreads), a_plan()).dropped
    assert dropped.reason.endswith(", and its launches agree within 0.4 %")


@pytest.mark.parametrize(
    ("spread", "reason"),
    [
        (0.0099, "measuring takes longer than planned, and its launches agree within 0.99 %"),
        (0.01, "measuring takes longer than planned, and its launches agree within 1 %"),
        (0.0101, "measuring takes longer than planned"),
    ],
)
def test_launches_that_agree_within_a_hundredth_are_certain(spread: float, reason: str) -> None:
    steps = planned((4,), "known", "unknown")  # nothing was measured of one: it is uncertain
    spreads = {"known": spread}
    block = next_block(steps, known(1.0, spreads=spreads), a_plan(*steps))
    assert names(block.steps) == (["known4"] if spread > 0.01 else ["unknown4"])
    (dropped,) = next_block(steps[:1], known(0.5, spreads=spreads), a_plan()).dropped
    assert dropped.reason == reason


def test_a_late_launch_of_what_is_uncertain_comes_before_one_that_is_certain() -> None:
    steps = planned((4, 5), "a", "b")
    block = next_block(steps, known(2.0, spreads={"a": 0.004, "b": 0.2}), a_plan(*steps))
    assert names(block.steps) == ["b4"]


def test_the_important_come_first_and_a_long_one_makes_room() -> None:
    steps = [
        a_step(1, "detail", 2, "detail"),
        a_step(2, "headline", 2, "headline"),
        a_step(3, "long", 2, "headline"),
        a_step(4, "main", 2),
    ]
    block = next_block(steps, known(2.5, {"long": 9.0}), a_plan(*steps))
    assert names(block.steps) == ["headline2", "main2"]
    assert [one.case for one in block.dropped] == ["detail", "long"]


def test_without_any_time_a_whole_block_is_dropped() -> None:
    steps = planned((2, 3), "a", "b")
    block = next_block(steps, known(-1.0), a_plan(*steps))
    assert block.steps == ()
    assert [one.launch for one in block.dropped] == [2, 2]


def test_disturbed_steps_are_repeated_cheapest_first_while_there_is_time() -> None:
    steps = [a_step(1, "a"), a_step(2, "b"), a_step(3, "c")]
    chosen = repeats(steps, known(3.5, {"a": 2.0, "b": 1.0, "c": 1.5}))
    assert [(step.case, step.attempt) for step in chosen] == [("b", 2), ("c", 2)]
    assert [step.case for step in repeats(steps[:1], known(1.0))] == ["a"]


def test_further_launches_go_to_the_widest_and_end_with_the_time() -> None:
    steps = planned((1, 2, 3), "certain", "open", "widest")
    spreads = {"certain": 0.01, "open": 0.1, "widest": 0.3}
    chosen = further_launches(steps, known(3.0, spreads=spreads))
    assert names(chosen) == ["widest4", "open4", "widest5"]
    assert {step.attempt for step in chosen} == {1}
    assert names(further_launches(steps, known(100.0, spreads=spreads))) == [
        *("widest4", "open4", "widest5", "open5")
    ]
    assert further_launches(steps, known(0.5, spreads=spreads)) == []


def test_headlines_first_get_as_many_launches_as_an_interval_needs() -> None:
    steps = [
        *planned((1, 2, 3), "open"),
        *(a_step(40 + n, "headline", n, "headline") for n in (1, 2, 3)),
        *(a_step(50 + n, "known", n, "headline") for n in (1, 2, 3, 4, 5)),
        *(a_step(60 + n, "nearly", n, "headline") for n in (1, 2, 3, 4)),
    ]
    spreads = {"open": 0.3, "headline": 0.001, "known": 0.001, "nearly": 0.1}
    assert names(further_launches(steps, known(100.0, spreads=spreads))) == [
        *("nearly5", "headline4", "headline5", "open4", "open5", "nearly6")
    ]
    assert names(further_launches(steps, known(3.0, spreads=spreads))) == [
        *("nearly5", "headline4", "headline5")
    ]


def test_what_differs_by_no_more_than_the_noise_gets_no_further_launch() -> None:
    steps = [*planned((1, 2), "edge", "open"), a_step(99, "new")]
    spreads = {"edge": 0.02, "open": 0.021}
    assert names(further_launches(steps, known(100.0, spreads=spreads))) == ["open3", "open4"]


def test_many_launches_already_count_against_further_ones() -> None:
    steps = [*planned((1, 2, 3, 4), "often"), *planned((1, 2), "seldom")]
    steps[-1] = steps[-1].model_copy(update={"attempt": 2})
    chosen = further_launches(steps, known(1.0, spreads={"often": 0.3, "seldom": 0.2}))
    assert [(step.case, step.launch, step.attempt) for step in chosen] == [("seldom", 3, 1)]


def on_nodes(case: str, launch: int, n: int) -> list[Step]:
    return [
        a_step(100 * launch + number, case, launch).model_copy(
            update={"place": (number,), "wave": 100 * launch, "each_node": True}
        )
        for number in range(n)
    ]


def test_the_copies_of_a_launch_run_or_are_given_up_together() -> None:
    steps = on_nodes("a", 1, 3)
    assert next_block(steps, known(3.0), a_plan(*steps)).steps == tuple(steps)
    block = next_block(steps, known(2.5), a_plan(*steps))
    assert (block.steps, len(block.dropped)) == ((), 3)


def test_a_disturbed_copy_is_repeated_by_itself() -> None:
    (repeated,) = repeats(on_nodes("a", 1, 3)[1:2], known(1.0))
    assert (repeated.place, repeated.wave, repeated.attempt) == ((1,), 0, 2)


def test_further_launches_of_copies_are_waves_of_their_own() -> None:
    steps = [*on_nodes("a", 1, 2), *on_nodes("a", 2, 2)]
    chosen = further_launches(steps, known(4.0, spreads={"a": 0.3}))
    assert [(step.launch, step.place) for step in chosen] == [
        *((3, (0,)), (3, (1,)), (4, (0,)), (4, (1,)))
    ]
    waves = [step.wave for step in chosen]
    assert waves[0] == waves[1] != waves[2] == waves[3]
