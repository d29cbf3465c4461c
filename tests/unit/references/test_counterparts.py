"""What published figures meet: units, layouts, and what must never enter a ratio."""

from __future__ import annotations

import pytest

from heorot.families import BENCHMARKS
from heorot.model.analysis.published import PublishedQuantity
from heorot.references.counterparts import Meeting, meetings, publication
from heorot.references.library import shipped_source, source_names
from heorot.references.records import Source

KNOWN = {each.name: each for each in BENCHMARKS}


def met(source: Source) -> list[Meeting]:
    """All figures of a source, general statements included."""
    names = ["", *(system.name for system in source.systems)]
    return [each for name in names for each in meetings(source, name)]


def quantity(source: str, system: str, table: str, **wanted: object) -> PublishedQuantity:
    """The only quantity of a table with such fields of its figure."""
    (found,) = (
        each.quantity
        for each in meetings(shipped_source(source), system)
        if each.figure.table == table
        and all(getattr(each.figure, name) == value for name, value in wanted.items())
    )
    assert found is not None
    return found


@pytest.mark.parametrize("name", source_names())
def test_every_figure_has_a_counterpart_or_a_reason(name: str) -> None:
    source = shipped_source(name)
    found = met(source)
    assert len(found) == len(source.figures)
    for each in found:
        assert any(rule.covers(each.figure) for rule in source.rules)
        assert each.reason or each.relation == "same"


@pytest.mark.parametrize("name", source_names())
def test_every_rule_covers_a_figure_of_its_own(name: str) -> None:
    source = shipped_source(name)
    first = {
        next((n for n, rule in enumerate(source.rules) if rule.covers(figure)), None)
        for figure in source.figures
    }
    assert first >= set(range(len(source.rules)))


@pytest.mark.parametrize("name", source_names())
def test_bounds_and_distrusted_figures_enter_no_ratio(name: str) -> None:
    for each in met(shipped_source(name)):
        if each.figure.is_bound or each.figure.state or each.figure.value is None:
            assert each.quantity is None
        assert (each.quantity is None) == (each.relation == "context")


@pytest.mark.parametrize("name", source_names())
def test_counterparts_are_metrics_of_programs(name: str) -> None:
    for each in met(shipped_source(name)):
        one = each.quantity
        if one is None:
            continue
        program = KNOWN[one.benchmark]
        metric = program.metric(one.metric)
        assert metric is not None or one.metric in program.derived
        assert metric is None or metric.unit == one.unit


def test_a_rate_is_converted_with_its_layout() -> None:
    one = quantity("steen2000", "sgi-l1200", "6.9", variant="p07 bisectional regular", processes=8)
    assert (one.benchmark, one.region, one.metric) == (
        "messages/patterns",
        "bisection_regular",
        "port_bandwidth",
    )
    assert one.value == pytest.approx(float(one.note.split()[0]) * 1e6)
    assert (one.ranks, one.threads) == (8, 1)


def test_a_rate_of_one_processor_is_of_all_here() -> None:
    one = quantity("saini2006", "altix-bx2", "text 4.2", program="NPB BT", metric="per_cpu_rate")
    assert one.value == pytest.approx(930e6 * 484)
    assert (one.ranks, dict(one.point)) == (484, {"class": "D"})


def test_rates_in_units_of_1024_squared_bits() -> None:
    one = quantity(
        "pester2007",
        "chic",
        "global_sum",
        variant="Open MPI; hypercube sendrecv; N=2097152",
        processes=16,
    )
    # 9309 Mbit/s of 16 ranks on 16 nodes: 8 (2 n L) / t with L in 1024^2 bytes.
    assert one.value == pytest.approx(9309 * 1024**2 / 8)
    assert (one.nodes, dict(one.point)) == (16, {"bytes": 8 * 2_097_152})


def test_broadcast_and_copy_count_elements() -> None:
    for variant in ("k01 broadcast x=alpha", "k02 copy x=y"):
        one = quantity("steen2000", "compaq-xp1000", "6.1", variant=variant, metric="rmax_L1")
        assert one.unit == "element/s"


def test_tables_that_repeat_others_count_once() -> None:
    source = shipped_source("steen2000")
    xp1000 = next(one for one in source.systems if one.name == "compaq-xp1000")
    machine = publication(source, xp1000)
    assert machine is not None
    keys = [(one.key, one.metric, one.value) for one in machine.quantities]
    assert len(keys) == len(set(keys))
    # 14 kernels, of each r_max of two levels, cycles per element and latency.
    assert sum(one.benchmark == "compute/vector_kernels" for one in machine.quantities) == 56


def test_a_doubtful_latency_is_context() -> None:
    found = [
        each
        for each in meetings(shipped_source("steen2000"), "ibm-netfinity")
        if each.figure.table == "6.15"
    ]
    assert [each.quantity for each in found] == [None, None]
    assert {each.reason for each in found} == {"questioned by the source"}
