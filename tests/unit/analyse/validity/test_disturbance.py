"""Perturbed series, and the noise of a quiet machine."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.analyse.validity.disturbance import account, disturbed_steps, reasons
from heorot.model.run.records import Traffic
from tests.unit.analyse.builders import QUIET, a_result, a_series, a_step


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"sentinel_before": 1.3}, "reference probe"),
        ({"sentinel_after": 4.0}, "4.00 times slower"),
        ({"window_seconds": 1.0, "other_cpu_seconds": 0.06}, "other processes used 0.06 s"),
        ({"window_seconds": 1.0, "steal_seconds": 0.04}, "hypervisor took 0.04 s"),
        ({"window_seconds": 1.0, "involuntary_switches": 60}, "60 involuntary"),
        ({"window_seconds": 0.01, "involuntary_switches": 11}, "11 involuntary"),
        ({"window_seconds": 0.01, "waited_seconds": 0.0011}, "waited 1.1 ms for a core"),
        ({"window_seconds": 1.0, "waited_seconds": 0.021}, "waited 21.0 ms for a core"),
    ],
)
def test_each_sign_of_a_perturbation_counts(change: dict[str, Any], word: str) -> None:
    (reason,) = reasons(a_series(disturbance=QUIET.model_copy(update=change)))
    assert word in reason


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"sentinel_before": 1.2},
        {"window_seconds": 1.0, "other_cpu_seconds": 0.05},
        {"window_seconds": 0.2, "other_cpu_seconds": 0.03},  # three ticks of the kernel's clock
        {"window_seconds": 0.1, "steal_seconds": 0.02},
        {"window_seconds": 1.0, "involuntary_switches": 50},
        {"window_seconds": 0.01, "involuntary_switches": 10},
        {"window_seconds": 0.01, "other_cpu_seconds": None},
        {"window_seconds": 0.01, "waited_seconds": 0.001},  # of a few preemptions by the kernel
        {"window_seconds": 1.0, "waited_seconds": 0.02},
        {"window_seconds": 0.01, "waited_seconds": None},
    ],
)
def test_the_noise_of_a_quiet_machine_does_not(change: dict[str, Any]) -> None:
    assert reasons(a_series(disturbance=QUIET.model_copy(update=change))) == ()


def test_what_perturbed_a_step_perturbed_its_short_regions() -> None:
    step = QUIET.model_copy(update={"window_seconds": 1.0, "other_cpu_seconds": 0.4})
    (reason,) = reasons(a_series(step_disturbance=step))
    assert reason == "other processes used 0.40 s of CPU time during the step"
    stolen = QUIET.model_copy(update={"window_seconds": 1.0, "steal_seconds": 0.1})
    assert "hypervisor" in reasons(a_series(step_disturbance=stolen))[0]


def test_a_region_that_was_long_enough_speaks_for_itself() -> None:
    step = QUIET.model_copy(update={"window_seconds": 1.0, "other_cpu_seconds": 0.4})
    own = QUIET.model_copy(update={"window_seconds": 0.5, "other_cpu_seconds": 0.0})
    assert reasons(a_series(disturbance=own, step_disturbance=step)) == ()


def test_a_little_work_of_others_during_a_step_is_none() -> None:
    step = QUIET.model_copy(update={"window_seconds": 10.0, "other_cpu_seconds": 0.4})
    assert reasons(a_series(step_disturbance=step)) == ()


def test_more_cores_may_be_interrupted_more_often() -> None:
    window = QUIET.model_copy(update={"window_seconds": 1.0, "involuntary_switches": 150})
    assert reasons(a_series(disturbance=window))
    assert reasons(a_series(disturbance=window, threads=2, ranks=2)) == ()


def test_a_step_is_perturbed_if_a_tenth_of_its_time_is() -> None:
    noisy = QUIET.model_copy(update={"sentinel_after": 2.0})
    calm = [a_series(step=step, elapsed_seconds=9.0) for step in ("S0001", "S0002")]
    bad = [
        a_series(step="S0001", elapsed_seconds=0.9, disturbance=noisy),
        a_series(step="S0002", elapsed_seconds=1.1, disturbance=noisy),
    ]
    assert disturbed_steps((*calm, *bad)) == {"S0002": reasons(bad[1])[0]}


def test_the_reason_of_a_step_is_that_of_its_longest_perturbation() -> None:
    short = QUIET.model_copy(update={"sentinel_after": 2.0})
    long = QUIET.model_copy(update={"steal_seconds": 1.0})
    series = [
        a_series(elapsed_seconds=1.0, disturbance=short),
        a_series(elapsed_seconds=2.0, disturbance=long),
    ]
    assert "hypervisor" in disturbed_steps(series)["S0001"]


def test_the_account_counts_launches_once_and_measured_results() -> None:
    steps = [
        a_step(id="S0001"),
        a_step(id="S0002", launch=2),
        a_step(id="S0003", launch=3),
        a_step(id="S0004", attempt=2),
        a_step(id="S0005", launch=2, attempt=2),
    ]
    rows = [a_result(disturbed=True), a_result(), a_result(disturbed=True, derived=True)]
    reported = account(steps, {"S0001", "S0002", "S0005"}, rows)
    assert (reported.n_launches, reported.n_disturbed, reported.n_repeated) == (3, 2, 1)
    assert reported.text == (
        "2 of 3 launches were perturbed, 1 of them repeated unperturbed; "
        "1 of 2 measured results rests on perturbed samples"
    )
    assert account(steps, (), rows[1:2]).text == "nothing was perturbed"


def test_copies_on_different_nodes_are_launches_of_their_own() -> None:
    copies = [a_step(id=f"S000{i}", each_node=True, place=(i,)) for i in range(4)]
    again = a_step(id="S0009", each_node=True, place=(1,), attempt=2)
    reported = account([*copies, again], {"S0001", "S0002"}, ())
    assert (reported.n_launches, reported.n_disturbed, reported.n_repeated) == (4, 2, 1)


def test_a_repeat_elsewhere_is_an_attempt_at_the_same_launch() -> None:
    steps = [a_step(id="S0001", place=(0,)), a_step(id="S0002", place=(1,), attempt=2)]
    reported = account(steps, {"S0001"}, ())
    assert (reported.n_launches, reported.n_disturbed, reported.n_repeated) == (1, 1, 1)


def foreign_to(sent: float, received: float, seconds: float = 10.0) -> tuple[str, ...]:
    """Why a step counts as perturbed, by bytes sent and received per node [MB] in some time."""
    one = Traffic(
        interface="ib0",
        nodes=2,
        sent_bytes=int(1e6 * sent),
        received_bytes=int(1e6 * received),
        least_bytes=0,
        most_bytes=int(1e6 * (sent + received)),
    )
    step = QUIET.model_copy(update={"window_seconds": seconds})
    return reasons(a_series(step_disturbance=step, foreign=one))


def test_what_none_of_the_nodes_sent_is_foreign_traffic() -> None:
    (reason,) = foreign_to(sent=100, received=130)
    assert reason == "ib0 received 30.0 MB during the step that none of its nodes had sent"
    assert foreign_to(sent=0, received=21)


def test_headers_lost_packets_and_little_traffic_disturb_nothing() -> None:
    assert foreign_to(sent=1000, received=1100) == ()
    assert foreign_to(sent=0, received=20) == ()
    assert foreign_to(sent=130, received=100) == ()
    assert foreign_to(sent=0, received=21, seconds=11.0) == ()


def test_foreign_traffic_disturbs_the_whole_step() -> None:
    busy = Traffic(
        interface="ib0", nodes=2, sent_bytes=0, received_bytes=10**9, least_bytes=0,
        most_bytes=10**9,
    )  # fmt: skip
    series = [a_series(step_disturbance=QUIET, foreign=busy, elapsed_seconds=t) for t in (1.0, 9.0)]
    assert set(disturbed_steps(series)) == {"S0001"}
