"""LINPACK compared with applications: only on equal core counts, with intervals, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.npb.programs import BT, CG
from heorot.families.others.linpack import sentences
from heorot.recipes.catalogue import benchmark_of
from heorot.recipes.read import read_recipe, shipped
from tests.unit.analyse.builders import a_context, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result, Sentence

RECIPES = [benchmark_of(read_recipe(shipped()[name])) for name in ("hpl", "hpcg", "hpcc")]


def a_rate(median: float, **changes: Any) -> Result:
    """A rate of HPL on four ranks of one node."""
    fields = {
        "benchmark": "others/hpl",
        "region": "hpl",
        "metric": "flop_rate",
        "unit": "flop/s",
        "point": {"n": 20000},
        "median": median,
        "ranks": 4,
    }
    return a_result(**(fields | changes))


def npb(name: str, median: float, size: str = "B", **changes: Any) -> Result:
    fields = {"benchmark": f"npb/{name}", "region": name, "point": {"class": size}}
    return a_rate(median, **(fields | changes))


def hpcg(median: float, **changes: Any) -> Result:
    fields = {"benchmark": "others/hpcg", "region": "hpcg", "point": {"n": 104, "seconds": 60}}
    return a_rate(median, **(fields | changes))


def said(*rows: Result) -> list[Sentence]:
    return sentences(a_context(rows, benchmarks=[*RECIPES, BT, CG]))


def test_linpack_stands_beside_the_best_and_the_worst_application() -> None:
    rate = a_rate(200e9, share_of_ceiling=0.8)
    rows = [rate, npb("bt", 20e9), hpcg(4e9), npb("cg", 10e9)]
    (sentence,) = said(*rows)
    assert sentence.text == (
        "HPL with n = 20000 reaches 200 Gflop/s [198…202 in 3 launches] on 4 cores, 80.0 % "
        "[79.2…80.8 in 3 launches] of peak. On as many cores NPB BT class B reaches 10.0 % "
        "[9.8…10.2 in 3 launches] of that, HPCG with n = 104 for each rank, the slowest of 3 "
        "applications, 2.00 % [1.96…2.04 in 3 launches]."
    )
    assert sentence.evidence == (rate.id, rows[1].id, rows[2].id)
    assert sentence.weight == 0.85


def test_one_application_is_enough_and_its_largest_problem_counts() -> None:
    (sentence,) = said(a_rate(200e9), npb("cg", 30e9, "A"), npb("cg", 10e9), npb("cg", 9e9))
    assert sentence.text.endswith(
        " on 4 cores. On as many cores NPB CG class B reaches 5.00 % [4.90…5.10 in 3 launches] of "
        "that."
    )


@pytest.mark.parametrize(
    "other",
    [
        {"ranks": 2},
        {"ranks": 2, "threads": 1, "nodes": 2},
        {"nodes": 2},
        {"verified": "failed"},
        {"plausible": False},
        {"derived": True},
        {"options": {"star": True}},
        {"metric": "operation_rate"},
        {"region": "rhs"},
    ],
    ids=str,
)
def test_what_is_no_rate_on_as_many_cores_says_nothing(other: dict[str, Any]) -> None:
    assert said(a_rate(200e9), npb("cg", 10e9, **other)) == []
    assert said(a_rate(200e9)) == []
    assert said(npb("cg", 10e9)) == []


def test_the_most_cores_that_both_ran_on_speak() -> None:
    rows = [a_rate(50e9 * n, ranks=n) for n in (1, 2, 4)] + [
        npb("cg", 1e9 * n, ranks=n) for n in (1, 2)
    ]
    (sentence,) = said(*rows)
    assert "reaches 100 Gflop/s" in sentence.text
    assert " on 2 cores. On as many cores NPB CG" in sentence.text


def test_several_nodes_are_compared_with_one_as_full() -> None:
    several = a_rate(360e9, ranks=8, nodes=2, point={"n": 28000})
    rows = [several, a_rate(200e9), a_rate(60e9, ranks=1), npb("cg", 9e9, ranks=8, nodes=2)]
    (sentence,) = said(*rows)
    assert " on 8 cores of 2 nodes, 1.8 [" in sentence.text
    assert "] times as much as one node. On as many cores NPB CG" in sentence.text


def test_hpl_within_another_program_is_linpack_and_no_application() -> None:
    inside = a_rate(100e9, benchmark="others/hpcc", point={"n": 5000})
    (sentence,) = said(a_rate(200e9), inside, npb("cg", 10e9))
    assert sentence.text.startswith("HPL with n = 20000 reaches 200 Gflop/s")
    kernel = a_rate(150e9, benchmark="others/hpcc", region="stardgemm", point={"n": 5000})
    (alone,) = said(inside, kernel, npb("cg", 10e9))
    assert alone.text.startswith("HPC Challenge hpl with n = 5000 reaches 100 Gflop/s")


def test_problems_for_trying_stay_out_of_the_verdict() -> None:
    (sentence,) = said(a_rate(200e9), npb("cg", 10e9, "W"))
    assert sentence.weight == 0.0
