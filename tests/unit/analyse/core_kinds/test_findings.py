"""The finding on core types: types of the node, types used by launches, rates of each type."""

from __future__ import annotations

from dataclasses import replace

from heorot.analyse.core_kinds.findings import find_kinds
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.machine.cores import Cores
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import CORE_KIND
from tests.unit.analyse.builders import a_context, a_machine, a_result, a_run_line, a_step

A = "here"
CORES = (Cores(kind="P-core", cpus=("0-1", "2-3")), Cores(kind="E-core", cpus=("4", "5")))
MACHINE = a_machine(4, cores=CORES)


def ran(step: str, *places: tuple[int, ...]) -> Outcome:
    run = a_run_line([(A, cpus) for cpus in places])
    return Outcome(step=step, state="completed", run=run)


def test_of_which_kind_of_core_rates_are_is_said() -> None:
    outcomes = [ran("S1", (0, 1)), ran("S2", (2, 3)), ran("S3", (0, 1), (4,))]
    (reported,) = find_kinds(a_context(machine=MACHINE, outcomes=outcomes))
    assert "2 kinds: 2 of kind P-core, 2 of kind E-core." in reported.text
    assert "single-core rates are those of kind P-core" in reported.text
    assert "bounds of more cores mix kinds" in reported.text
    assert "2 on P-core, 1 on P-core and E-core" in reported.text
    assert "taskset -c 4-5" in reported.remedy


def test_equal_cores_need_no_word() -> None:
    assert find_kinds(a_context(machine=a_machine(4, cores=(Cores(cpus=("0", "1")),)))) == []


def test_a_kind_without_a_name_is_unknown() -> None:
    cores = (Cores(kind="part 0xd0b", cpus=("0",)), Cores(cpus=("1", "2")))
    (reported,) = find_kinds(
        a_context(machine=a_machine(3, cores=cores), outcomes=[ran("S1", (1,))])
    )
    assert "1 of kind part 0xd0b, 2 of kind unknown" in reported.text
    assert "1 on unknown." in reported.text


def _rates(first_on: tuple[int, ...]) -> tuple[Context, list[Result]]:
    """A run with two points of a program on both types, the first one on some CPUs."""
    rows = [a_result(point={"n": n}, median=median) for n, median in ((8, 40e9), (16, 20e9))]
    rows.append(a_result(point={"n": 8}, median=99e9, case="all_cores", threads=4))
    apart = [
        a_result(point={"n": n, CORE_KIND: "E-core"}, median=m, case="one_core_of_e_core")
        for n, m in ((8, 10e9), (16, 15e9))
    ]
    context = a_context(rows, machine=MACHINE, steps=[a_step()], outcomes=[ran("S0001", first_on)])
    return context, apart


def test_kinds_are_held_against_each_other_at_the_same_point() -> None:
    (reported,) = find_kinds(*_rates((0, 1)))
    assert reported.columns == ("program", "region", "at", "P-core", "E-core")
    ((program, region, at, first, other),) = reported.rows
    assert (program, region, at) == ("memory/stream", "triad", "n 8")
    assert first.startswith("40.0 GB/s [")
    assert other.startswith("10.0 GB/s [")
    assert "taskset" not in reported.remedy


def test_a_launch_that_ran_elsewhere_is_no_rate_of_a_kind() -> None:
    for cpus in ((0, 1, 2, 3, 4, 5), (4,), ()):
        (reported,) = find_kinds(*_rates(cpus))
        assert [row[3] for row in reported.rows] == ["not measured"]


def test_a_kind_that_failed_is_withheld() -> None:
    context, apart = _rates((0, 1))
    wrong = [row.model_copy(update={"verified": "failed"}) for row in apart]
    (reported,) = find_kinds(replace(context), wrong)
    assert [row[4] for row in reported.rows] == ["withheld"]
