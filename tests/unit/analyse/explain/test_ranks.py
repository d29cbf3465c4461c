"""Stragglers: ranks and hosts that were made to lag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from heorot.analyse.explain.ranks import stragglers
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.run.outcome import Outcome
from heorot.model.run.ranks import Own, OwnOfHosts, OwnOfRanks, Phase
from heorot.model.run.series import Series
from tests.unit.analyse import builders
from tests.unit.analyse.explain.problems import SOLVER, a_rate
from tests.unit.analyse.quotes import held
from tests.unit.model.keys import but

TWO_EACH = ("n1", "n1", "n2", "n2")


def a_launch(launch: int, ranks: int, *, star: bool = True, **changes: Any) -> Series:
    return builders.a_series(
        step=f"S{launch:04d}",
        launch=launch,
        benchmark=SOLVER.name,
        case="W_copies",
        region="solve",
        point={"class": "W"},
        ranks=ranks,
        options={"star": True} if star else {},
        **changes,
    )


def of_ranks(medians: Sequence[float], slowest: Sequence[int]) -> Own:
    return OwnOfRanks(by="rank", median_seconds=tuple(medians), slowest=tuple(slowest))


def a_run(series: Sequence[Series], hosts: tuple[str, ...] = ()) -> Context:
    """A run of one group, whose ranks were on these hosts in every launch."""
    line = builders.a_run_line([(host, ()) for host in hosts]) if hosts else None
    one = series[0]
    row = a_rate(1e9, ranks=one.ranks, case=one.case, options=one.options)
    return builders.a_context(
        [row],
        [Group(series=tuple(series), disturbed=False, verified="passed")],
        outcomes=[Outcome(step=one.step, state="completed", run=line) for one in series],
        benchmarks=(SOLVER,),
    )


def attribute(context: Context) -> list[Attribution]:
    """The sentences, whose numbers are those of rows."""
    found = stragglers.find_stragglers(context, "run")
    rows = {row.id: row for one in found for row in one.rows}
    said = stragglers.attribute(context, found)
    assert held({one.text: [rows[key] for key in one.evidence] for one in said}) == []
    return said


def copies(*own: Own | None, hosts: tuple[str, ...] = TWO_EACH, n: int = 10) -> list[Attribution]:
    series = [
        a_launch(number, len(hosts) or 4, own=each, seconds=np.full(n, 1e-3))
        for number, each in enumerate(own, start=1)
    ]
    return attribute(a_run(series, hosts))


def test_a_slow_copy_is_named_with_its_host() -> None:
    own = of_ranks([1.0, 1.0, 1.0, 1.12], [0, 0, 1, 9])
    (said,) = copies(*[own] * 4)
    assert said.text == (
        "Of 4 simultaneous copies of Solver class W that of rank 3 on n2 was the slowest in 90 % "
        "[90…90 in 4 launches] of the samples, 12 % [12…12 in 4 launches] behind the median of "
        "the others."
    )
    where = "grids/solver:W_copies:solve[class=W,host=n2,rank=3]"
    assert said.evidence == (
        f"{where}:rank_lag@1x4x1/gnu-12",
        f"{where}:slowest_share@1x4x1/gnu-12",
    )
    assert said.lost == pytest.approx(0.12 / 1.12)


def test_without_hosts_the_rank_alone_is_named() -> None:
    (said,) = copies(*[of_ranks([1.0, 1.12, 1.0, 1.0], [0, 10, 0, 0])] * 4, hosts=())
    assert "that of rank 1 was the slowest in 100 % [100…100 in 4 launches] of" in said.text


def test_a_host_whose_ranks_all_lag_is_named_in_their_place() -> None:
    own = of_ranks([1.0, 1.0, 1.1, 1.1], [0, 0, 6, 6])  # in two samples both took equally long
    (said,) = copies(*[own] * 7)
    assert said.text == (
        "Of 4 simultaneous copies of Solver class W one on n2 was the slowest in 100 % [100, "
        "100; 7 launches] of the samples; the copies there take 10 % [10, 10; 7 launches] longer "
        "than the median of the others."
    )
    # Six launches of two hosts are 2 / 2^6, of two sets that are compared.
    assert copies(*[own] * 6) == []


def test_many_ranks_are_told_of_by_host() -> None:
    own = OwnOfHosts(
        by="host",
        hosts=("n1", "n2", "n3"),
        lowest_seconds=(1.0, 1.0, 1.1),
        median_seconds=(1.0, 1.0, 1.2),
        highest_seconds=(1.1, 1.1, 1.3),
        slowest=(1, 1, 8),
    )
    (said,) = copies(*[own] * 4)
    assert "one on n3 was the slowest in 80 % [80…80 in 4 launches] of" in said.text
    assert "20 % [20…20 in 4 launches] longer" in said.text


@pytest.mark.parametrize(
    "own",
    [
        of_ranks([1.0, 1.0, 1.0, 1.04], [0, 0, 0, 10]),  # hardly behind
        of_ranks([1.0, 1.0, 1.0, 1.12], [3, 1, 1, 5]),  # not more often than not
        None,  # an older record
    ],
)
def test_nobody_is_named_without_reason(own: Own | None) -> None:
    assert copies(*[own] * 10) == []


def test_who_lags_in_one_launch_only_does_not_lag() -> None:
    slow, even = of_ranks([1, 1, 1, 1.3], [0, 0, 0, 10]), of_ranks([1, 1, 1, 1], [3, 3, 2, 2])
    assert copies(slow, even) == []
    assert copies(slow, None) == []
    assert copies(slow, n=5) == []  # too few samples


def phases(medians: Sequence[float]) -> tuple[Phase, ...]:
    """Half of the time in one phase, half in another, and much waiting."""
    half = tuple(0.5 * each for each in medians)
    none = (0.0,) * len(half)
    return tuple(
        Phase(
            name=name,
            computation_seconds=half,
            communication_seconds=tuple(9.0 - each for each in half),
            messages=none,
            bytes=none,
            collectives=none,
        )
        for name in ("rest", "rhs")
    )


def computed(*launches: Sequence[float], hosts: tuple[str, ...]) -> list[Attribution]:
    series = [
        a_launch(number, len(hosts), star=False, phases=phases(each))
        for number, each in enumerate(launches, start=1)
    ]
    return attribute(a_run(series, hosts))


def test_who_computes_longest_launch_after_launch() -> None:
    slow, even = [1.0, 1.0, 1.2], [1.0, 1.01, 1.0]
    hosts = ("n1", "n2", "n3")
    (said,) = computed(*[slow] * 4, even, *[slow] * 5, hosts=hosts)
    assert said.text == (
        "On 3 ranks of Solver class W rank 2 on n3 computed longest in 9 of 10 launches; it "
        "took 20 % [20, 20; 10 launches] longer than the median of the others."
    )
    # The range of three launches contains that it does not lag.
    assert computed(slow, even, slow, hosts=hosts) == []
    assert said.lost == 0.0
    assert computed(slow, slow, hosts=hosts) == []
    assert computed(even, even, slow, hosts=hosts) == []


def test_a_host_whose_ranks_compute_longest_in_turns() -> None:
    turns = [[1, 1, 1.2, 1.3], [1, 1, 1.3, 1.2]]
    (said,) = computed(*turns * 4, hosts=TWO_EACH)
    assert (
        "a rank on n2 computed longest in 8 of 8 launches; the ranks there took 20 %" in said.text
    )


def test_waiting_for_others_is_nobody_s_fault() -> None:
    own = of_ranks([1.0, 1.0, 1.0, 1.3], [0, 0, 0, 10])
    assert attribute(a_run([a_launch(1, 4, star=False, own=own)], TWO_EACH)) == []


def a_whole_run(
    random: np.random.Generator, ranks: int, launches: int, lag: float = 0.0
) -> list[Attribution]:
    """Copies of 12 programs at 4 sizes, whose launches slow one rank or another down at random.

    Args:
        random: numbers.
        ranks: of every program.
        launches: of every program.
        lag: of rank 1, in all launches.
    """
    groups: list[Group] = []
    names = [f"grids/solver_{n}" for n in range(12)]
    for name in names:
        series: dict[int, list[Series]] = {}
        for launch in range(launches):
            medians = 1.0 + 0.02 * random.standard_normal(ranks)
            medians[random.integers(ranks)] += 0.2
            medians[1] += lag
            for size in range(4):
                own = medians + 0.005 * random.standard_normal(ranks)
                slowest = [10 * int(rank == own.argmax()) for rank in range(ranks)]
                reported = of_ranks(own.tolist(), slowest)
                one = a_launch(launch, ranks, own=reported, seconds=np.full(10, 1e-3))
                step = f"{name} {launch}"
                one = but(one, benchmark=name, step=step, point={"n": size})
                series.setdefault(size, []).append(one)
        groups += [
            Group(tuple(each), disturbed=False, verified="passed") for each in series.values()
        ]
    programs = [replace(SOLVER, name=name) for name in names]
    return attribute(builders.a_context([], groups, benchmarks=tuple(programs)))


@pytest.mark.slow
@pytest.mark.parametrize(("ranks", "launches"), [(2, 3), (2, 5), (4, 5), (8, 3), (8, 5)])
def test_of_ranks_that_are_alike_one_is_named_in_a_twentieth_of_all_runs(
    ranks: int, launches: int
) -> None:
    random = np.random.default_rng(1)
    n = 60
    named = sum(bool(a_whole_run(random, ranks, launches)) for _ in range(n))
    assert named <= 0.05 * n + 2.0 * (0.05 * 0.95 * n) ** 0.5


@pytest.mark.parametrize(("ranks", "launches"), [(8, 5), (2, 12)])
def test_a_rank_that_lags_in_every_program_is_named(ranks: int, launches: int) -> None:
    said = a_whole_run(np.random.default_rng(2), ranks, launches, lag=0.5)
    assert len(said) == 12
    assert all("rank 1" in one.text for one in said)
