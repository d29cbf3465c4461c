"""Networks from rows of a run: bandwidth of the longest messages, latency of the shortest."""

from __future__ import annotations

import pytest

from heorot.analyse.compare.networks import measure_networks
from heorot.families import BENCHMARKS
from heorot.model.analysis.result import Result
from heorot.model.machine.site import SiteNetwork
from tests.unit.analyse.builders import a_result

FAST, SLOW = SiteNetwork(name="ib", rate_bits=1e10, shared=False), SiteNetwork(name="eth")


def message(median: float, network: str = "", **changes: object) -> Result:
    fields = {"benchmark": "messages/pingpong", "region": "pingpong", "nodes": 2, "ranks": 2}
    return a_result(median=median, network=network, **fields | changes)


def law(seconds: float, network: str = "", **changes: object) -> Result:
    fields = {"metric": "fitted_latency", "unit": "s", "better": "lower"}
    return message(seconds, network, **fields | changes)


ROWS = [
    message(9e8, "ib", point={"bytes": 1 << 22}),
    message(5e8, "ib", point={"bytes": 1 << 10}),
    message(1e8, "eth", point={"bytes": 1 << 22}),
    law(2e-6, "ib"),
    law(5e-5, "eth", point={"from_bytes": 0}),
    law(9e-5, "eth", point={"from_bytes": 4096}),
]


def test_each_network_has_its_longest_messages_and_the_law_of_the_shortest() -> None:
    ib, eth = measure_networks(ROWS, BENCHMARKS, (FAST, SLOW))
    assert (ib.quoted.name, eth.quoted.name) == ("ib", "eth")
    assert ib.rate is not None
    assert eth.rate is not None
    assert ib.latency is not None
    assert eth.latency is not None
    assert (ib.rate.median, eth.rate.median) == (9e8, 1e8)
    assert (ib.latency.median, eth.latency.median) == (2e-6, 5e-5)
    assert ib.share == pytest.approx(0.72)
    assert eth.share is None  # nothing was quoted


def test_what_is_faster_than_quoted_has_no_share() -> None:
    (ib,) = measure_networks([message(2e9, point={"bytes": 8})], BENCHMARKS, (FAST,))
    assert ib.rate is not None
    assert ib.share is None


def test_inside_a_node_there_is_no_network() -> None:
    inside = message(9e9, nodes=1)
    assert measure_networks([inside], BENCHMARKS, ()) == ()
    (unnamed,) = measure_networks([inside, message(1e9)], BENCHMARKS, ())
    assert unnamed.quoted.name == "between nodes"


def test_what_failed_its_check_is_not_quoted() -> None:
    (ib,) = measure_networks([message(9e8, verified="failed")], BENCHMARKS, (FAST,))
    assert ib.rate is None
