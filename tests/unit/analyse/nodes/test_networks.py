"""Networks between nodes: measured against quoted, and the interface that carried the bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.nodes.networks import analyse_networks, find_elsewhere, interfaces_seen
from heorot.model.analysis.studies.networks import Carrier, Measured, MeasuredNetwork
from heorot.model.catalogue.metrics import Metric, Reference
from heorot.model.catalogue.references import BETWEEN, LATENCY
from heorot.model.machine.machine import Hca, HcaPort
from heorot.model.machine.nodes import QuotedNetwork
from heorot.model.machine.site import SiteNetwork
from heorot.model.run.outcome import Outcome
from heorot.model.run.ranks import Phase
from heorot.model.run.records import EndLine, Traffic
from tests.unit.analyse.builders import (
    QUIET,
    a_benchmark,
    a_context,
    a_machine,
    a_result,
    a_series,
    a_step,
)
from tests.unit.model.keys import but

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result
    from heorot.model.run.series import Series

IB = SiteNetwork(name="ib", interface="ib0", rate_bits=100e9, latency_seconds=1e-6)
ETH = SiteNetwork(name="eth", interface="eth0", rate_bits=10e9)
POST = "mail/post"


def quote(network: SiteNetwork) -> QuotedNetwork:
    return QuotedNetwork(
        name=network.name,
        interface=network.interface,
        quoted_bits=network.rate_bits,
        quoted_seconds=network.latency_seconds,
    )


def outcome(step: str, **carried: int | tuple[int, int]) -> Outcome:
    """The end of a step whose interfaces sent and received these bytes over two nodes."""
    traffic = []
    for name, each in carried.items():
        sent, received = each if isinstance(each, tuple) else (each, each)
        one = Traffic(
            interface=name.replace("__", ":"),
            nodes=2,
            sent_bytes=sent,
            received_bytes=received,
            least_bytes=0,
            most_bytes=sent + received,
        )
        traffic.append(one)
    end = EndLine(
        type="end",
        passed=True,
        checks=0,
        failed=0,
        elapsed_seconds=1.0,
        user_seconds=(),
        system_seconds=(),
        peak_memory_bytes=(),
        involuntary_switches=(),
        disturbance=QUIET,
        traffic=tuple(traffic),
    )
    return Outcome(step=step, state="completed", end=end)


def messages(step: str = "S0001", **changes: Any) -> Series:
    """Messages of 1 MB in all: ten samples of ten bodies of 10 kB."""
    return a_series(
        **{"step": step, "benchmark": POST, "nodes": 2, "counts": {"bytes": 1e4}} | changes
    )


def row(**changes: Any) -> Result:
    fields = {"benchmark": POST, "region": "there", "nodes": 2, "metric": "rate"}
    return a_result(**(fields | changes))


def run_of(
    outcomes: list[Outcome],
    *rows: Result,
    site: tuple[SiteNetwork, ...] = (IB, ETH),
    hcas: tuple[Hca, ...] = (),
    networks: tuple[str, ...] = ("ib", "eth"),
) -> Context:
    metrics = (
        Metric(name="rate", unit="B/s", better="higher", count="bytes"),
        Metric(name="law", unit="s", better="lower", count="messages"),
    )
    published = (
        Reference(name=BETWEEN, metric="rate", regions=("there",)),
        Reference(name=LATENCY, metric="law", regions=("there",)),
    )
    post = a_benchmark(POST, metrics=metrics, publishes=published)
    machine = a_machine(hcas=hcas).model_copy(update={"networks": site})
    steps = [
        a_step(id=f"S{number:04d}", benchmark=POST, nodes=2, network=name)
        for number, name in enumerate(networks, 1)
    ]
    return a_context(rows, machine=machine, benchmarks=(post,), steps=steps, outcomes=outcomes)


def analysed(context: Context, *series: Series) -> tuple[MeasuredNetwork, ...]:
    return analyse_networks(context, series, [quote(each) for each in context.machine.networks])


def carrier_of(*, hcas: tuple[Hca, ...] = (), **carried: Any) -> Carrier | None:
    """The interface that carried the bytes of the one step over ib0, which sent 1 MB."""
    context = run_of([outcome("S0001", **carried)], site=(IB,), hcas=hcas, networks=("",))
    (found,) = analysed(context, messages())
    return found.carrier


def test_measured_beside_quoted() -> None:
    rows = [
        row(toolchain="gnu-12", network="ib", point={"bytes": 4096}, median=14e9, case="a"),
        row(toolchain="gnu-12", network="ib", point={"bytes": 65536}, median=10e9, case="b"),
        row(
            toolchain="gnu-12", network="ib", point={"bytes": 131072}, median=1e9, nodes=1, case="c"
        ),
        row(toolchain="gnu-12", network="ib", metric="law", median=2e-6, case="d"),
        row(
            toolchain="gnu-12",
            network="ib",
            metric="law",
            median=1e-6,
            point={"to_bytes": 9},
            case="e",
        ),
        row(toolchain="gnu-12", network="eth", point={"bytes": 65536}, median=1e9, case="f"),
    ]
    ib, eth = analysed(run_of([], *rows))
    assert (ib.quoted.name, ib.toolchain, ib.carrier) == ("ib", "gnu-12", None)
    # The longest message between nodes, not the fastest; the law for all sizes.
    assert ib.rate == Measured(median=10e9, ci_low=9.9e9, ci_high=10.1e9, n_launches=3)
    assert ib.share == pytest.approx(0.8)
    assert ib.latency is not None
    assert ib.latency.median == 2e-6
    assert eth.share == pytest.approx(0.8)
    assert eth.latency is None


def test_a_network_that_nothing_ran_over_is_reported_as_quoted() -> None:
    ib, eth = analysed(run_of([], networks=("eth",)))
    assert ib == MeasuredNetwork(quoted=quote(IB))
    assert eth == MeasuredNetwork(quoted=quote(ETH), toolchain="gnu-12")


def test_each_toolchain_has_its_own_record() -> None:
    context = run_of([], site=(IB,), networks=("", ""))
    steps = [
        but(each, toolchain=name) for each, name in zip(context.steps, ("gnu", "llvm"), strict=True)
    ]
    context = a_context([], machine=context.machine, steps=steps)
    assert [one.toolchain for one in analysed(context)] == ["gnu", "llvm"]


def test_the_interface_of_the_network_carried_the_bytes() -> None:
    found = carrier_of(ib0=1_050_000, eth0=30_000)
    assert found == Carrier(
        interface="ib0",
        carried_bytes=1_050_000,
        named_bytes=1_050_000,
        steps=("S0001",),
        benchmarks=(POST,),
    )
    assert not found.is_another


def test_another_interface_carried_the_bytes() -> None:
    found = carrier_of(ib0=(3000, 2000), eth0=1_050_000)
    assert found is not None
    assert (found.interface, found.carried_bytes, found.named_bytes) == ("eth0", 1_050_000, 2000)
    assert found.is_another


def test_two_that_count_the_same_bytes_are_no_others() -> None:
    found = carrier_of(ib0=1_040_000, bond0=1_050_000)
    assert found is not None
    assert (found.interface, found.is_another) == ("ib0", False)


@pytest.mark.parametrize(
    "carried",
    [
        {},
        # The daemons of the launcher, while the messages pass by all counters.
        {"eth0": 100_000},
        # Files that came from a server.
        {"eth0": (100_000, 9_000_000)},
    ],
)
def test_counters_that_do_not_see_the_messages_say_nothing(carried: dict[str, Any]) -> None:
    assert carrier_of(**carried) is None


def test_the_adapter_below_an_interface_is_the_same_network() -> None:
    adapter = Hca(name="mlx5_0", ports=(HcaPort(number=1),), interfaces=("ib0",))
    found = carrier_of(hcas=(adapter,), mlx5_0__1=1_050_000, ib0=1000, eth0=2000)
    assert found is not None
    assert (found.interface, found.is_another) == ("mlx5_0:1", False)
    stranger = adapter.model_copy(update={"interfaces": ("ib1",)})
    other = carrier_of(hcas=(stranger,), mlx5_0__1=1_050_000, ib0=1000)
    assert other is not None
    assert other.is_another


def test_bytes_of_other_programs_are_those_of_their_phases() -> None:
    phase = Phase(
        name="rhs",
        computation_seconds=(1.0, 1.0),
        communication_seconds=(1.0, 1.0),
        messages=(1.0, 1.0),
        bytes=(6e3, 4e3),
        collectives=(0.0, 0.0),
    )
    context = run_of([outcome("S0001", eth0=1_050_000)], site=(IB,), networks=("",))
    # What a program counts as bytes are those of memory, unless it publishes messages.
    (silent,) = analysed(context, messages(benchmark="npb/other"))
    assert silent.carrier is None
    (reported,) = analysed(context, messages(benchmark="npb/other", phases=(phase,)))
    assert reported.carrier is not None
    assert reported.carrier.interface == "eth0"
    (inside,) = analysed(context, messages(nodes=1))
    assert inside.carrier is None


def test_a_site_without_networks_has_those_that_carried_bytes() -> None:
    outcomes = [outcome("S0001", eth0=1_050_000, docker0=70)]
    context = run_of(outcomes, site=(), networks=("",))
    assert interfaces_seen(outcomes) == ("eth0", "docker0")
    seen = [QuotedNetwork(name=name, interface=name) for name in interfaces_seen(outcomes)]
    (found,) = analyse_networks(context, [messages()], seen)
    assert (found.quoted.name, found.share) == ("eth0", None)
    assert found.carrier is not None
    assert (found.carrier.interface, found.carrier.is_another) == ("eth0", False)
    assert analyse_networks(context, [], seen) == ()
    assert interfaces_seen([Outcome(step="S0001", state="lost")]) == ()


def test_a_network_that_tells_no_interface_is_never_another_one() -> None:
    nameless = SiteNetwork(name="ib", rate_bits=1e9)
    outcomes = [outcome("S0001", eth0=1_050_000)]
    (found,) = analysed(run_of(outcomes, site=(nameless,), networks=("",)), messages())
    assert found.carrier is not None
    assert (found.carrier.interface, found.carrier.is_another) == ("eth0", False)


def test_the_finding() -> None:
    outcomes = [
        outcome("S0001", ib0=2000, eth0=1_050_000),
        outcome("S0002", ib0=2000, eth0=1_050_000),
    ]
    networks = analysed(run_of(outcomes), messages(), messages("S0002"))
    (finding,) = find_elsewhere(networks)
    assert finding.text == (
        "traffic between nodes over ib in 1 step with gnu-12 used eth0, which carried 1.05 MB, and "
        "not ib0, which carried 2.00 kB"
    )
    assert finding.severity == "warning"
    assert finding.evidence == ("S0001",)
    assert finding.affected == (POST,)
