"""Stored descriptions equal those of the programs, and both evaluate formulas alike."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

import pytest

from heorot import process
from heorot.catalogue.asked import Asked
from heorot.catalogue.programs import described, summarise
from heorot.model.catalogue.benchmark import Benchmark, Case
from tests import builds
from tests.builds import TRIED
from tests.contract.launches import join_runs, words_of
from tests.unit.analyse.builders import a_machine

pytestmark = pytest.mark.timeout(900)  # the first may have to build all programs

every_program = pytest.mark.parametrize("benchmark", TRIED, ids=lambda one: one.name)


@pytest.mark.slow
def test_what_is_kept_is_what_programs_tell() -> None:
    paths = builds.release([benchmark.name for benchmark in TRIED]).paths
    answers = [process.run([paths[each.name], "--describe"]).out for each in TRIED]
    described = summarise([json.loads(answer) for answer in answers])
    names = {each.name for each in TRIED}
    for file, expected in described.items():
        stored = json.loads(file.read_text(encoding="utf-8"))
        kept = {name: one for name, one in stored.items() if "/" not in name or name in names}
        assert kept == expected, "run python -m tests.descriptions"


@every_program
def test_programs_count_what_plans_foresee(benchmark: Benchmark) -> None:
    path = builds.release([benchmark.name]).paths[benchmark.name]
    machine = a_machine(4)
    cases = [benchmark.tiny, *benchmark.cases(machine, "standard")]
    if benchmark.over_nodes:
        cases += benchmark.over_nodes(machine, "standard", 2)
    for ranks, threads in {(case.ranks, case.threads) for case in cases}:
        alike = [case for case in cases if (case.ranks, case.threads) == (ranks, threads)]
        environment = {
            **os.environ,
            "OMPI_COMM_WORLD_SIZE": str(ranks),
            "OMP_NUM_THREADS": str(threads),
        }
        done = process.run([path, *_counting(alike)], environment=environment)
        lines = (json.loads(line) for line in done.out.splitlines())
        counts = [line for line in lines if line.get("type") != "exit"]
        assert len(counts) == len(alike), done.err
        for case, count in zip(alike, counts, strict=True):
            assert (count["ranks"], count["threads"]) == (ranks, threads)
            for cost in described(benchmark.name).costs:
                foreseen = Asked(benchmark.name, case).cost(cost)
                assert foreseen == pytest.approx(count[cost], abs=1), (case.name, cost)


def _counting(cases: Iterable[Case]) -> list[str]:
    return join_runs([*words_of(case), "--count"] for case in cases)
