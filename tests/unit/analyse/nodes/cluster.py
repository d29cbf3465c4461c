"""Builds the samples of clusters with given differences: noise, slow nodes and links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from heorot.analyse.analysis import analyse
from heorot.model.analysis.result import Analysis
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.family import Family
from heorot.model.catalogue.metrics import Metric
from heorot.model.evaluation import Evaluation
from heorot.model.machine.machine import Machine, Memory, Node, Processor
from heorot.model.point import Scalar
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.model.run.records import PAIRED, Disturbance
from heorot.model.run.series import Series
from tests.unit.analyse.builders import QUIET, a_benchmark, a_run_line, a_series, a_step
from tests.unit.analyse.evaluations import a_collection, an_evaluation

LOUD = QUIET.model_copy(update={"other_cpu_seconds": 10.0, "window_seconds": 10.0})
_FLOPS = 1e9


def names(n_nodes: int, first: int = 1) -> list[str]:
    """Host names n1, n2, ..."""
    return [f"n{first + i}" for i in range(n_nodes)]


@dataclass
class Cluster:
    """A run of programs on every node.

    Attributes:
        nodes: host names by kind.
        n_programs: number of programs.
        n_families: number of their families.
        n_launches: launches of each on every node.
        n_samples: samples of each launch.
        speed: of nodes or pairs, relative to the others, or by (name, number of the program).
        noise: standard deviation of launches [1].
        spread: standard deviation of nodes [1].
        disturbed: share of launches that are slowed down unnoticed [1].
        disturbance: relative slowdown of these [1].
        loud: nodes with a persistent background load that was measured.
        pairs: pairs of nodes among which messages are sent, if any.
        seed: of the noise.
    """

    nodes: Sequence[Sequence[str]]
    n_programs: int = 6
    n_families: int = 3
    n_launches: int = 3
    n_samples: int = 8
    speed: Mapping[str | tuple[str, int], float] = field(default_factory=dict)
    noise: float = 0.01
    spread: float = 0.003
    disturbed: float = 0.0
    disturbance: float = 0.1
    loud: frozenset[str] = frozenset()
    waiting: Mapping[str, Sequence[float]] = field(default_factory=dict)
    pairs: Sequence[tuple[str, str]] = ()
    seed: int = 1

    @property
    def machine(self) -> Machine:
        """The machine with its kinds of nodes."""
        return Machine(
            hostname="login",
            nodes=tuple(
                Node(
                    names=tuple(hosts),
                    n_nodes=len(hosts),
                    processor=Processor(isa="x86_64", model=f"Processor {number}"),
                    memory=Memory(total_bytes=64 << 30),
                )
                for number, hosts in enumerate(self.nodes)
            ),
        )

    @property
    def families(self) -> tuple[Family, ...]:
        """The programs: rates, and a time for every third."""
        members: list[list[Benchmark]] = [[] for _ in range(self.n_families)]
        rate = Metric(name="rate", unit="flop/s", better="higher", count="flops")
        other = Metric(name="steps", unit="1/s", better="higher")
        time = Metric(name="time", unit="s", better="lower")
        for i in range(self.n_programs):
            family = i * self.n_families // self.n_programs
            metrics = (time,) if i % 3 == 2 else (rate, other)
            members[family].append(a_benchmark(f"family{family}/program{i}", metrics=metrics))
        if self.pairs:
            members.append([a_benchmark("links/link", metrics=(rate,))])
        return tuple(
            Family(name=f"{one[0].family}", title="A", about="a", benchmarks=tuple(one))
            for one in members
            if one
        )

    def series(self) -> Iterator[Series]:
        """All samples."""
        random = np.random.default_rng(self.seed)
        programs = [one for family in self.families for one in family.benchmarks]
        hosts = [host for kind in self.nodes for host in kind]
        slower = {kind: 1.0 + 0.5 * number for number, kind in enumerate(map(tuple, self.nodes))}
        pace = {host: slower[tuple(kind)] for kind in self.nodes for host in kind}
        for number, benchmark in enumerate(programs[: self.n_programs]):
            for host, bias in zip(hosts, self._biases(random, len(hosts)), strict=True):
                speed = self._speed(host, number) / pace[host] / bias
                yield from self._launches(random, benchmark, {"node": host, "n": 7}, speed, host)
        for one, other in self.pairs:
            name = PAIRED.join((one, other))
            speed = min(self._speed(each, -1) for each in (one, other, name))
            yield from self._launches(random, programs[-1], {"pair": name, "bytes": 8}, speed, name)

    def _biases(self, random: np.random.Generator, n: int) -> Any:
        return np.exp(random.normal(0.0, self.spread, n))

    def _speed(self, name: str, number: int) -> float:
        return self.speed.get((name, number), self.speed.get(name, 1.0))

    def _launches(
        self,
        random: np.random.Generator,
        benchmark: Benchmark,
        point: Mapping[str, Scalar],
        speed: float,
        host: str,
    ) -> Iterator[Series]:
        for launch in range(1, self.n_launches + 1):
            seconds = np.exp(random.normal(0.0, self.noise)) / speed
            if random.random() < self.disturbed:
                seconds /= 1.0 - self.disturbance
            samples = seconds * (1.0 + 0.002 * np.abs(random.standard_normal(self.n_samples)))
            yield a_series(
                step=f"{benchmark.target}-{re.sub('[^a-z0-9]', '-', host)}-{launch}",
                benchmark=benchmark.name,
                case="every_node",
                launch=launch,
                region="body",
                point=dict(point),
                counts={"flops": _FLOPS},
                repetitions=1,
                seconds=samples,
                disturbance=self._disturbance(host, launch),
            )

    def _disturbance(self, host: str, launch: int) -> Disturbance:
        if self.waiting:
            share = self.waiting[host][launch - 1] if host in self.waiting else 0.001
            seconds = share * QUIET.window_seconds
            return QUIET.model_copy(update={"waited_seconds": seconds})
        return LOUD if host in self.loud else QUIET

    def steps(self, series: Iterable[Series]) -> tuple[Step, ...]:
        """The steps behind samples."""
        return tuple(
            a_step(
                id=one.step,
                benchmark=one.benchmark,
                case=one.case,
                launch=one.launch,
                each_node="node" in one.point,
                nodes=2 if "pair" in one.point else 1,
            )
            for one in series
        )

    def analysed(self, series: Iterable[Series] | None = None) -> Analysis:
        """The analysis of it, or of other samples."""
        series = list(self.series() if series is None else series)
        steps = self.steps(series)
        line = a_run_line([("n1", (0,)), ("n2", (0,))])
        outcomes = [Outcome(step=step.id, state="completed", run=line) for step in steps]
        return analyse(
            a_collection(series, outcomes), steps, self.families, self.machine, run="r", seed=1
        )


def evaluate(cluster: Cluster) -> Evaluation:
    """The run of a cluster, as input of a report."""
    series = tuple(cluster.series())
    return an_evaluation(series, cluster.steps(series), cluster.families, cluster.machine)


def every_pair(hosts: Sequence[str]) -> list[tuple[str, str]]:
    """All pairs of some nodes."""
    return list(combinations(hosts, 2))


def ring(hosts: Sequence[str]) -> list[tuple[str, str]]:
    """Every node with the next one."""
    return [(host, hosts[(i + 1) % len(hosts)]) for i, host in enumerate(hosts)]
