"""Slow nodes are named and quiet ones are not: cases, properties, and rates by simulation."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from heorot.analyse.nodes.outliers import FAMILY_WISE, Speeds, at_least, differ, judge

HOG = 2


@dataclass(frozen=True)
class Noise:
    """Scatter of the speeds of nodes; shares and standard deviations [1].

    Attributes:
        n_nodes: number of nodes.
        n_programs: number of programs, in nine resources or fewer.
        n_launches: of each.
        launches: between launches.
        nodes: between nodes, in all programs together and in each.
        disturbed: share of launches that are slowed down.
        disturbance: relative slowdown of these.
        each: quantities of a program, all from the same launches.
    """

    n_nodes: int = 64
    n_programs: int = 60
    n_launches: int = 3
    launches: float = 0.015
    nodes: float = 0.005
    disturbed: float = 0.05
    disturbance: float = 0.1
    each: int = 1

    def draw(self, random: np.random.Generator) -> Speeds:
        """The speeds of a run."""
        shape = (self.n_nodes, self.n_programs, self.n_launches)
        speeds = random.normal(0.0, self.nodes, (self.n_nodes, 1, 1))
        speeds = speeds + random.normal(0.0, self.nodes, (*shape[:2], 1))
        speeds = speeds + random.normal(0.0, self.launches, shape)
        speeds += np.log(1.0 - self.disturbance) * (random.random(shape) < self.disturbed)
        n_resources = min(9, self.n_programs)
        if self.each > 1:
            shape = (self.n_nodes, self.n_programs * self.each, self.n_launches)
            speeds = np.repeat(speeds, self.each, axis=1) + random.normal(0.0, self.nodes, shape)
        programs = np.repeat(np.arange(self.n_programs), self.each)
        return Speeds(
            launches=speeds,
            low=speeds.min(axis=2) - 0.005,
            high=speeds.max(axis=2) + 0.005,
            resources=(programs * n_resources // self.n_programs).tolist(),
            programs=programs.tolist(),
        )


def slowed(speeds: Speeds, factor: float, *, item: int = HOG, first: int | None = None) -> Speeds:
    """One item slower by a factor, in all quantities or in the first ones."""
    change = np.zeros_like(speeds.low)
    change[item, slice(first)] = np.log(factor)
    return replace(
        speeds,
        launches=speeds.launches + change[:, :, None],
        low=speeds.low + change,
        high=speeds.high + change,
    )


NOISES = {
    "64 nodes": Noise(),
    "five launches": Noise(n_launches=5),
    "one launch": Noise(n_launches=1),
    "quiet": Noise(disturbed=0.005),
    "restless": Noise(disturbed=0.15, disturbance=0.2),
    "rare and heavy": Noise(disturbed=0.02, disturbance=0.5),
    "unequal nodes": Noise(launches=0.02, nodes=0.02),
    "three programs": Noise(n_programs=3),
    "sixteen nodes": Noise(n_nodes=16, n_programs=10),
    "eight nodes": Noise(n_nodes=8),
    "four nodes": Noise(n_nodes=4),
    "four nodes, one program": Noise(n_nodes=4, n_programs=1),
    "three nodes": Noise(n_nodes=3, n_programs=10),
}


@pytest.mark.simulation
@pytest.mark.parametrize(
    "noise",
    [
        pytest.param(
            noise,
            id=name,
            marks=pytest.mark.slow if noise.n_nodes * noise.n_programs > 1000 else (),
        )
        for name, noise in NOISES.items()
    ],
)
def test_a_quiet_set_names_none_and_half_speed_is_named(noise: Noise) -> None:
    random = np.random.default_rng(1)
    n_runs = 40
    drawn = [noise.draw(random) for _ in range(n_runs)]
    assert sum(bool(judge(speeds).named) for speeds in drawn) <= n_runs // 10
    found = [judge(slowed(speeds, 0.5)).named for speeds in drawn]
    assert sum(names == [HOG] for names in found) >= n_runs * 9 // 10


@pytest.mark.simulation
@pytest.mark.parametrize("name", ["64 nodes", "restless", "eight nodes", "four nodes"])
def test_a_tenth_in_one_program_is_named(name: str) -> None:
    random = np.random.default_rng(2)
    found = [judge(slowed(NOISES[name].draw(random), 0.1, first=1)).named for _ in range(40)]
    assert sum(names == [HOG] for names in found) >= 36


@pytest.mark.simulation
@pytest.mark.slow
def test_a_thousand_nodes_name_the_slow_one_only() -> None:
    random = np.random.default_rng(3)
    noise = Noise(n_nodes=1000)
    found = [judge(slowed(noise.draw(random), 0.5)).named for _ in range(10)]
    assert sum(names == [HOG] for names in found) >= 9


def exact(n_nodes: int, n_programs: int = 4, n_launches: int = 3) -> Speeds:
    """Nodes with hardly any noise."""
    noise = Noise(n_nodes, n_programs, n_launches, launches=0.001, nodes=0.001, disturbed=0.0)
    return noise.draw(np.random.default_rng(4))


@pytest.mark.parametrize("n_nodes", [3, 4, 5, 64])
def test_a_slow_node_is_named_among_three_or_more(n_nodes: int) -> None:
    judged = judge(slowed(exact(n_nodes), 0.5))
    assert judged.named == [HOG]
    assert judged.slow[HOG].all()
    assert not np.delete(judged.slow, HOG, axis=0).any()
    assert judged.speed[HOG] == pytest.approx(0.5, rel=0.01)
    assert (judged.z[HOG] > 50.0).all()


# Number of runs with that many quiet nodes, and in how many the one that is 10 % slower is named.
SETS = {2: (200, 0.9), 4: (100, 0.4), 16: (40, 0.95), 64: (20, 0.8)}


@pytest.mark.simulation
@pytest.mark.slow
@pytest.mark.parametrize("n_nodes", SETS)
@pytest.mark.parametrize("disturbed", [0.0, 0.05])
def test_many_quantities_tell_wrongly_in_one_run_of_twenty_at_most(
    n_nodes: int, disturbed: float
) -> None:
    """180 quantities of 30 programs are 180 chances, of which six each share their launches."""
    n_runs, power = SETS[n_nodes]
    random = np.random.default_rng(6)
    noise = Noise(n_nodes, n_programs=30, each=6, disturbed=disturbed)
    drawn = [noise.draw(random) for _ in range(n_runs)]
    hold = differ if n_nodes == 2 else judge
    assert sum(bool(hold(one).named) for one in drawn) <= binom.ppf(0.99, n_runs, FAMILY_WISE)
    found = [hold(slowed(one, 0.9, item=1)).named for one in drawn]
    assert sum(names == [1] for names in found) >= power * n_runs


@pytest.mark.simulation
@pytest.mark.slow
def test_nodes_that_differ_by_nature_are_told_of_as_rarely() -> None:
    random = np.random.default_rng(7)
    noise = Noise(16, n_programs=18, each=3, nodes=0.03, disturbed=0.0)
    named = sum(bool(judge(noise.draw(random)).named) for _ in range(100))
    assert named <= binom.ppf(0.99, 100, FAMILY_WISE)


def test_two_nodes_differ_in_one_quantity_of_many_by_chance() -> None:
    """One of 171 with all launches slow, at this rate of perturbed launches."""
    speeds = Noise(2, n_programs=171).draw(np.random.default_rng(8))
    speeds.launches[0, 7] = [0.0, 0.01, 0.02]
    speeds.launches[1, 7] = [-0.11, -0.12, -0.13]
    speeds.low[:, 7], speeds.high[:, 7] = speeds.launches[:, 7].min(1), speeds.launches[:, 7].max(1)
    judged = differ(speeds)
    assert judged.slow[1, 7]
    assert judged.named == []
    # Without launches a node is still reported.
    assert differ(slowed(speeds, 0.2, item=1, first=1)).named == [1]
    assert differ(slowed(speeds, 0.9, item=0)).named == [0]


def test_of_two_nodes_a_quantity_alone_needs_others_to_be_held_against() -> None:
    one = slowed(exact(2, n_programs=2), 0.5, item=1, first=1)
    assert differ(replace(one, resources=[0, 0])).named == []
    assert differ(slowed(exact(2, n_programs=2), 0.5, item=1)).named == [1]


def test_several_sets_share_the_rate() -> None:
    speeds = slowed(exact(8), 0.93)
    alone = judge(speeds).p_values[HOG]
    assert 0.0 < alone < 1e-3
    assert judge(speeds, n_sets=3).p_values[HOG] == pytest.approx(3.0 * alone)
    two = slowed(exact(2), 0.94, item=1)
    assert differ(two, 3).p_values[1] == pytest.approx(3.0 * differ(two).p_values[1])


def test_of_two_nodes_none_is_named() -> None:
    assert judge(slowed(exact(2), 0.5, item=1)).named == []


def test_what_lags_by_less_than_five_per_cent_is_not_slow_however_sure() -> None:
    judged = judge(slowed(exact(64), 0.96))
    assert judged.named == []
    assert (judged.z[HOG] > 5.0).all()


def test_a_node_that_is_slow_in_one_launch_of_three_is_not_named() -> None:
    speeds = exact(64)
    speeds.launches[HOG, :, 1] += np.log(0.5)
    assert judge(speeds).named == []


def test_a_single_launch_counts_only_with_its_interval_clear_of_the_others() -> None:
    speeds = slowed(exact(16, n_launches=1), 0.7)
    assert judge(speeds).named == [HOG]
    speeds.high[HOG] = 0.0
    assert judge(speeds).named == []


def test_nodes_that_differ_by_nature_hide_what_is_no_worse() -> None:
    noise = Noise(n_nodes=64, n_programs=10, nodes=0.05, disturbed=0.0)
    speeds = noise.draw(np.random.default_rng(5))
    assert judge(slowed(speeds, 0.93)).named == []
    assert judge(slowed(speeds, 0.4)).named == [HOG]


def test_several_slow_nodes_do_not_hide_each_other() -> None:
    speeds = exact(64)
    for item in (1, 5, 9, 40):
        speeds = slowed(speeds, 0.6, item=item)
    assert judge(speeds).named == [1, 5, 9, 40]


def test_values_that_are_missing_are_neither_slow_nor_equals() -> None:
    speeds = slowed(exact(6), 0.5)
    for table in (speeds.launches, speeds.low, speeds.high):
        table[0] = np.nan
        table[HOG, 1:] = np.nan
    judged = judge(speeds)
    assert judged.named == [HOG]
    assert judged.slow.sum() == 1


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 1000),
    factor=st.sampled_from([0.1, 0.5, 0.8, 1.0]),
    order=st.permutations(range(12)),
    scale=st.floats(1e-6, 1e6),
)
def test_names_follow_the_nodes_and_units_do_not_matter(
    seed: int, factor: float, order: list[int], scale: float
) -> None:
    noise = Noise(n_nodes=12, n_programs=6)
    speeds = slowed(noise.draw(np.random.default_rng(seed)), factor)
    named = judge(speeds).named
    shift = np.log(scale)
    other = replace(
        speeds,
        launches=speeds.launches[order] + shift,
        low=speeds.low[order] + shift,
        high=speeds.high[order] + shift,
    )
    assert sorted(order[item] for item in judge(other).named) == named


@given(st.integers(1, 12), st.integers(1, 12), st.floats(0.0, 1.0))
def test_at_least_is_the_tail_of_the_binomial_distribution(k: int, n: int, rate: float) -> None:
    few = min(k, n)
    found = at_least(np.array(few), np.array(n), np.array(rate))
    assert found == pytest.approx(binom.sf(few - 1, n, rate), abs=1e-9)
