"""Records to store."""

from __future__ import annotations

import numpy as np
import pytest

from heorot.model.analysis.result import Result
from heorot.model.point import Options, Point
from heorot.model.run.identity import Key, Setup
from heorot.model.run.ranks import Own, OwnOfHosts, OwnOfRanks, Phase, Starts
from heorot.model.run.records import Disturbance, SecondClock, Traffic
from heorot.model.run.series import Series, Verified


def make_series(number: int, n_samples: int) -> Series:
    """A series whose every field differs from that of its neighbours."""
    chance = np.random.default_rng(number)
    return Series(
        step=f"S{number:04d}",
        key=Key(
            Setup(
                benchmark="memory/stream",
                case=f"case {number % 3}",
                toolchain="gnu-12+openmpi-5.0.11",
                nodes=1,
                ranks=number + 1,
                threads=2,
                per_node=number + 1,
                options=Options(
                    {"n": 1 << 40, "budget": 0.1, "verify": True, "kernels": 'it\'s "all"'}
                ),
            ),
            f"triad {number}",
            Point({"n": number, "share": 1.0, "access": "stride 3"}),
        ),
        launch=number % 5 + 1,
        attempt=number % 2 + 1,
        counts={"bytes": 24.0 * number, "flops": 0.1},
        repetitions=number + 1,
        seconds=chance.random(n_samples),
        synchronisation="barrier",
        stopped="precision",
        elapsed_seconds=0.1 + number,
        second_clock=SecondClock(name="tsc", elapsed_seconds=0.3) if number % 2 else None,
        disturbance=_disturbance(number),
        verified="passed" if number % 2 else "unchecked",
        phases=(make_phase("rhs", number), make_phase("rest", 1)) if number % 3 else (),
        step_disturbance=_disturbance(9) if number % 2 else None,
        starts=(None, make_starts(number + 2))[number % 2],
        foreign=(None, make_traffic(number))[number % 2],
        own=(None, make_own_of_ranks(number + 1), make_own_of_hosts(number + 1))[number % 3],
    )


def make_traffic(number: int) -> Traffic:
    """What an interface carried, more in than out."""
    return Traffic(
        interface="mlx5_0:1",
        nodes=2,
        sent_bytes=number,
        received_bytes=10 * number,
        least_bytes=0,
        most_bytes=10 * number,
    )


def _disturbance(number: int) -> Disturbance:
    return Disturbance(
        involuntary_switches=number,
        steal_seconds=0.01,
        other_cpu_seconds=None if number % 2 else 0.5,
        waited_seconds=0.25 if number % 2 else None,
        window_seconds=1.5,
        sentinel_before=1.0,
        sentinel_after=1.0625,
    )


def make_phase(name: str, n_ranks: int) -> Phase:
    """A phase of some ranks, whose times are no round numbers."""
    ranks = range(1, n_ranks + 1)
    return Phase(
        name=name,
        computation_seconds=tuple(0.1 * rank for rank in ranks),
        communication_seconds=tuple(1e-9 / rank for rank in ranks),
        messages=tuple(2.0 * rank for rank in ranks),
        bytes=tuple(2.0**40 + rank for rank in ranks),
        collectives=(0.5,) * n_ranks,
    )


def make_own_of_ranks(n_ranks: int) -> Own:
    """Own times of some ranks."""
    ranks = range(1, n_ranks + 1)
    return OwnOfRanks(
        by="rank", median_seconds=tuple(0.1 / rank for rank in ranks), slowest=tuple(ranks)
    )


def make_own_of_hosts(n_hosts: int) -> Own:
    """Own times of the ranks of some hosts."""
    hosts = range(1, n_hosts + 1)
    return OwnOfHosts(
        by="host",
        hosts=tuple(f"n{host}" for host in hosts),
        lowest_seconds=tuple(0.1 * host for host in hosts),
        median_seconds=tuple(0.2 * host for host in hosts),
        highest_seconds=tuple(1e9 / host for host in hosts),
        slowest=tuple(hosts),
    )


def make_starts(n_samples: int) -> Starts:
    """Starts of the bodies of some samples."""
    return Starts(
        bodies=100 * n_samples,
        late=n_samples,
        window_seconds=1.25e-6,
        clock_error_seconds=1e-7,
        local_seconds=tuple(1e-4 / sample for sample in range(1, n_samples + 1)),
    )


def make_result(number: int) -> Result:
    """A row whose fields cover what they may hold."""
    verdicts: tuple[Verified, ...] = ("passed", "failed", "unchecked")
    return Result(
        run="first",
        system="n1",
        key=Key(
            Setup(
                benchmark="memory/stream",
                case="all_cores",
                toolchain="gnu-12",
                nodes=1,
                ranks=2,
                threads=1,
                per_node=2,
                options=Options({"n": 8, "quick": True}),
            ),
            'tri,ad "x"',
            Point({"n": number, "stride": 3}),
        ),
        metric="bandwidth",
        unit="B/s",
        better="higher",
        median=0.1 + 0.2,
        ci_low=1e-300,
        ci_high=1.7976931348623157e308,
        q10=1 / 3,
        q90=2.0,
        min=float(1 << 60),
        max=5.0,
        n=10,
        n_launches=3,
        verified=verdicts[number % 3],
        plausible=(True, False, None)[number % 3],
        disturbed=bool(number % 2),
        share_of_ceiling=None if number % 2 else 0.95,
        derived=bool(number % 2),
    )


@pytest.fixture
def series() -> tuple[Series, ...]:
    return tuple(make_series(number, n_samples=number % 7 + 1) for number in range(40))


@pytest.fixture
def results() -> tuple[Result, ...]:
    return tuple(make_result(number) for number in range(6))
