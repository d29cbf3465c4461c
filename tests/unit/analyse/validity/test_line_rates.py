"""Messages between nodes against the rate of the line, never against a copy inside a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.validity.ceilings import apply_ceilings
from heorot.analyse.validity.line_rates import apply_line_rates, find_links, inside_nodes
from heorot.analyse.validity.suspect_bounds import find_suspect_bounds
from heorot.model.catalogue.metrics import Ceiling, Metric, Reference
from heorot.model.catalogue.references import BETWEEN
from heorot.model.machine.network import Hca, HcaPort, NetworkInterface
from heorot.model.resource import ONE_CORE
from tests.unit.analyse.builders import a_benchmark, a_context, a_machine, a_result, a_step

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result
    from heorot.model.machine.machine import Machine

COPY = Ceiling(metric="rate", by="copy", of=ONE_CORE, reason="a message is a copy")


def an_interface(name: str = "eth0", gigabits: float | None = 10.0, **changes: Any) -> Any:
    fields: dict[str, Any] = {
        "name": name,
        "state": "up",
        "kind": "ethernet",
        "speed_bits": None if gigabits is None else gigabits * 1e9,
        "driver": "ixgbe",
    }
    return NetworkInterface(**(fields | changes))


def an_adapter(name: str = "mlx5_0", gigabits: float = 100.0, *over: str, **port: Any) -> Hca:
    fields: dict[str, Any] = {
        "number": 1,
        "state": "ACTIVE",
        "rate_bits": gigabits * 1e9,
        "layer": "InfiniBand",
    }
    return Hca(name=name, ports=(HcaPort(**(fields | port)),), interfaces=over)


def a_node(*interfaces: NetworkInterface, hcas: tuple[Hca, ...] = ()) -> Machine:
    return a_machine(interfaces=interfaces, hcas=hcas)


def message(median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "mail/post",
        "region": "there",
        "metric": "rate",
        "nodes": 2,
        "ranks": 2,
        "case": f"{median}",
    }
    return a_result(median=median, **(fields | changes))


def run_of(machine: Machine, *rows: Result, networks: tuple[str, ...] = ()) -> Context:
    metrics = (Metric(name="rate", unit="B/s", better="higher", count="bytes"),)
    post = a_benchmark(
        "mail/post",
        metrics=metrics,
        ceilings=(COPY,),
        publishes=(Reference(name=BETWEEN, metric="rate", regions=("there",)),),
    )
    copy = Reference(name="copy", metric="rate", regions=("main",))
    top = a_benchmark("units/top", metrics=metrics, publishes=(copy,))
    steps = [a_step(network=network) for network in networks]
    return a_context(rows, machine=machine, benchmarks=(post, top), steps=steps)


def judged(context: Context) -> list[tuple[float | None, bool | None]]:
    return [
        (row.share_of_ceiling and round(row.share_of_ceiling, 3), row.plausible)
        for row in apply_line_rates(context)
    ]


def test_a_message_has_its_share_of_the_line_and_never_more() -> None:
    rows = [message(1.1e9), message(1.24e9), message(1.5e9)]
    found = judged(run_of(a_node(an_interface()), *rows))
    # 10 Gbit/s are 1.25 GB/s; only the interval of the last exceeds it as a whole.
    assert found == [(0.88, True), (0.992, True), (1.2, False)]


@pytest.mark.parametrize(
    "changes",
    [
        {"nodes": 1},
        {"derived": True},
        {"plausible": False},
        {"metric": "latency"},
        {"region": "here"},
        {"benchmark": "units/top"},
    ],
)
def test_other_rows_are_left_alone(changes: dict[str, Any]) -> None:
    context = run_of(a_node(an_interface()), message(9e9, **changes))
    assert judged(context) == []


@pytest.mark.parametrize(
    "interface",
    [
        an_interface(gigabits=None),
        an_interface(state="down"),
        an_interface(virtual=True),
        an_interface(kind="loopback"),
        an_interface(driver="vmxnet3"),
    ],
)
def test_without_a_rate_that_means_anything_nothing_is_judged(interface: NetworkInterface) -> None:
    assert judged(run_of(a_node(interface), message(9e9))) == []


def test_nobody_may_publish_messages() -> None:
    machine = a_node(an_interface())
    context = a_context([message(9e9)], machine=machine, benchmarks=())
    assert apply_line_rates(context) == []


def test_interfaces_over_an_adapter_are_no_other_link() -> None:
    inactive = an_adapter("mlx5_1", state="DOWN")
    machine = a_node(
        *(an_interface(), an_interface("ib0", 100.0, kind="infiniband")),
        hcas=(an_adapter("mlx5_0", 100.0, "ib0"), inactive),
    )
    found = [(link.names[0], link.bytes_per_second) for link in find_links(machine)]
    assert found == [("mlx5_0", 12.5e9), ("eth0", 1.25e9)]


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        ("ib", [(0.8, True), (1.6, False)]),
        ("IB0", [(0.8, True), (1.6, False)]),
        ("infiniband", [(0.8, True), (1.6, False)]),
        ("mlx5", [(0.8, True), (1.6, False)]),
        ("eth", [(8.0, False), (16.0, False)]),
        # Whatever that is: no more than all lines together.
        ("blue", [(None, True), (1.455, False)]),
    ],
)
def test_networks_are_known_by_their_names(network: str, expected: list[Any]) -> None:
    machine = a_node(
        *(an_interface(), an_interface("ib0", None, kind="infiniband")),
        hcas=(an_adapter("mlx5_0", 100.0, "ib0"),),
    )
    rows = [message(rate, toolchain="gnu-12", network=network) for rate in (10e9, 20e9)]
    assert judged(run_of(machine, *rows, networks=(network,))) == expected


def test_equal_lines_may_carry_a_message_together() -> None:
    machine = a_node(an_interface("eth0"), an_interface("eth1"))
    rows = [message(1e9), message(2e9), message(3e9)]
    assert judged(run_of(machine, *rows)) == [(0.8, True), (0.8, True), (1.2, False)]


def test_between_nodes_a_copy_is_no_limit_and_flags_no_result() -> None:
    copy = message(1e9, benchmark="units/top", region="main", nodes=1, ranks=1)
    inside, between = message(2e9, nodes=1), message(3e9)
    context = run_of(a_node(), copy, inside, between)
    assert [row.case for row in inside_nodes(context)] == [copy.case, inside.case]
    assert {row.case: row.plausible for row in apply_ceilings(context, inside_nodes(context))} == {
        inside.case: False
    }
    (doubt,) = find_suspect_bounds(context, inside_nodes(context))
    assert inside.id in doubt.evidence
    assert between.id not in doubt.evidence
    context = run_of(a_node(), copy, between)
    assert find_suspect_bounds(context, inside_nodes(context)) == []
