"""Remote memory: at its worst, in words, and arrays that one thread wrote first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.scores import make_scores
from heorot.families.memory.derived.domains import explain, find, sentence
from heorot.families.memory.numa import NUMA
from heorot.model.machine.machine import NumaNode
from tests.unit.analyse.builders import a_context, a_machine, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result

TWO = (
    NumaNode(number=0, cpus="0-3", distances=(10, 21)),
    NumaNode(number=1, cpus="4-7", distances=(21, 10)),
)
FED = {(0, 0): 40e9, (0, 1): 22e9, (1, 0): 20e9, (1, 1): 41e9}
WAITS = {(0, 0): 90e-9, (0, 1): 150e-9, (1, 0): 140e-9, (1, 1): 91e-9}
TIMES = {"metric": "latency", "unit": "s", "better": "lower", "region": "latency"}


def pairs(values: dict[tuple[int, int], float], **fields: Any) -> list[Result]:
    fields = {"benchmark": NUMA.name, "region": "bandwidth", "threads": 8} | fields
    return [
        a_result(point={"from_domain": here, "to_domain": there}, median=value, **fields)
        for (here, there), value in values.items()
    ]


def run(*rows: Result, numa: tuple[NumaNode, ...] = TWO) -> Context:
    """The context of all rows, with the derived ones."""
    first = a_context(rows, machine=a_machine(8, numa=numa))
    return a_context([*rows, *explain(first)], machine=first.machine)


def test_the_slowest_pair_stands_for_the_memory_of_another_domain() -> None:
    context = run(*pairs(FED), *pairs(WAITS, **TIMES))
    (fed,) = context.rows.find(NUMA.name, "bandwidth", "remote_bandwidth")
    assert (fed.median, dict(fed.point)) == (20e9, {"from_domain": 1, "to_domain": 0})
    (waits,) = context.rows.find(NUMA.name, "latency", "remote_latency")
    assert (waits.median, dict(waits.point)) == (150e-9, {"from_domain": 0, "to_domain": 1})
    (score,) = make_scores(context)
    assert score.result.id == fed.id


def test_one_domain_has_no_other() -> None:
    context = run(*pairs({(0, 0): 40e9}), numa=TWO[:1])
    assert explain(context) == []
    assert sentence(context) is None
    assert not [each for each in make_scores(context) if each.result.benchmark == NUMA.name]


def test_it_is_reported_beside_what_the_own_gives() -> None:
    said = sentence(run(*pairs(FED), *pairs(WAITS, **TIMES)))
    assert said is not None
    assert said.text == (
        "Remote NUMA bandwidth: 20.0 GB/s [19.8…20.2 in 3 launches] at worst, 0.488 [0.478…0.498 "
        "in 3 launches] times as much as local. Remote latency: 150 ns [148…152 in 3 launches], "
        "1.67 [1.63…1.70 in 3 launches] times as long as local."
    )
    assert len(said.evidence) == 4


def touches(first: float, own: float, **fields: Any) -> list[Result]:
    return [
        a_result(benchmark=NUMA.name, region=region, threads=8, median=rate, **fields)
        for region, rate in (("first_touch", first), ("own_touch", own))
    ]


def test_an_array_that_one_thread_wrote_is_found() -> None:
    rows = touches(40e9, 80e9)
    (finding,) = find(run(*rows))
    assert finding.text == (
        "8 cores read at 40.0 GB/s [39.6…40.4 in 3 launches] after serial first touch, at 80.0 "
        "GB/s [79.2…80.8 in 3 launches] after parallel first touch: pages reside in the NUMA "
        "domain of the thread that first writes them."
    )
    assert finding.evidence == tuple(row.id for row in rows)


@pytest.mark.parametrize(
    ("rates", "fields", "numa"),
    [
        ((79.5e9, 80e9), {}, TWO),  # what intervals explain
        ((80e9, 40e9), {}, TWO),
        ((40e9, 80e9), {"disturbed": True}, TWO),
        ((40e9, 80e9), {}, TWO[:1]),
    ],
)
def test_what_may_have_other_reasons_is_not(
    rates: tuple[float, float], fields: dict[str, Any], numa: tuple[NumaNode, ...]
) -> None:
    assert find(run(*touches(*rates, **fields), numa=numa)) == []


def test_a_node_of_two_domains_has_it_among_its_main_cases() -> None:
    (several,) = NUMA.cases(a_machine(8, numa=TWO), "standard")
    (one,) = NUMA.cases(a_machine(8, numa=TWO[:1]), "standard")
    assert (several.priority, one.priority) == ("main", "detail")
    assert several.needs.seconds > 2.0 * one.needs.seconds
