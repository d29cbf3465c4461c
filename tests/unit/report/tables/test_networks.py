"""Networks: nominal, negotiated and measured rates, and the interface that carried the bytes."""

from __future__ import annotations

from heorot.model.analysis.studies.networks import Carrier, Measured, MeasuredNetwork
from heorot.model.machine.nodes import QuotedNetwork
from heorot.model.machine.site import SiteHost, SiteNetwork
from heorot.report.tables.networks import host_table, network_table
from heorot.report.tables.table import MOST_COLUMNS, Allowance, Table
from tests.unit.report.tables.reading import column_of, lines_of

QUOTED = QuotedNetwork(
    name="lab",
    interface="eth0",
    quoted_bits=100e6,
    quoted_seconds=5e-5,
    found_bits=10e9,
    fastest_bits=10e9,
)
CARRIER = Carrier(
    interface="eth0",
    carried_bytes=793_000_000,
    named_bytes=793_000_000,
    steps=("S0001",),
    benchmarks=("mail/post",),
)
MEASURED = MeasuredNetwork(
    quoted=QUOTED,
    toolchain="gnu",
    rate=Measured(median=11.8e6, ci_low=11.5e6, ci_high=11.9e6, n_launches=5),
    latency=Measured(median=6e-5, ci_low=5.5e-5, ci_high=6.5e-5, n_launches=5),
    share=0.944,
    carrier=CARRIER,
)


def texts(table: Table, row: int = 0) -> list[str]:
    return [cell.text for cell in table.rows[row].cells]


def test_quoted_beside_negotiated_beside_measured() -> None:
    table = network_table([MEASURED], Allowance())
    assert texts(table) == [
        *("lab", "eth0", "100 Mbit/s", "10.0 Gbit/s", "11.8 MB/s [11.5, 11.9; 5 launches]"),
        *("94.4 %", "50.0 µs", "60.0 µs [55.0, 65.0; 5 launches]", "eth0", "793 MB"),
    ]
    assert len(table.columns) == len(table.rows[0].cells)


def test_what_is_not_known_is_a_dash() -> None:
    nameless = MeasuredNetwork(quoted=QuotedNetwork(name="ib"))
    assert texts(network_table([nameless], Allowance())) == ["ib", *["–"] * 9]


def test_toolchains_are_named_if_there_are_several() -> None:
    other = MEASURED.model_copy(update={"toolchain": "llvm"})
    unused = MeasuredNetwork(quoted=QUOTED)
    assert [column.title for column in network_table([MEASURED, unused], Allowance()).columns][
        2
    ] == "quoted rate"
    table = network_table([MEASURED, other, unused], Allowance())
    assert column_of(table, "toolchain") == ["gnu", "llvm", "–"]
    assert len(table.columns) == len(table.rows[0].cells)


def test_nodes_that_negotiated_other_rates_are_seen() -> None:
    uneven = MeasuredNetwork(quoted=QUOTED.model_copy(update={"found_bits": 1e9}))
    cell = network_table([uneven], Allowance()).rows[0].cells[3]
    assert (cell.text, cell.number, cell.tone) == ("1.00 Gbit/s to 10.0 Gbit/s", 1e9, "warn")


def test_another_interface_than_the_networks_own_stands_out() -> None:
    elsewhere = CARRIER.model_copy(update={"interface": "eth1", "named_bytes": 7})
    table = network_table([MEASURED.model_copy(update={"carrier": elsewhere})], Allowance())
    assert (table.rows[0].cells[8].text, table.rows[0].cells[8].tone) == ("eth1", "bad")


def test_what_the_site_file_says_of_networks_stands_beside_them() -> None:
    site = SiteNetwork(name="lab", shared=True, topology="fat <tree>")
    line = lines_of(network_table([MEASURED], Allowance(), [site]))[0]
    assert (line["shared"], line["topology"]) == ("yes", "fat <tree>")
    assert len(network_table([MEASURED], Allowance(), [site]).columns) == MOST_COLUMNS
    dedicated = SiteNetwork(name="lab", shared=False)
    line = lines_of(network_table([MEASURED], Allowance(), [dedicated]))[0]
    assert (line["shared"], line["topology"]) == ("no", "unknown")
    line = lines_of(network_table([MEASURED], Allowance(), [SiteNetwork(name="lab")]))[0]
    assert (line["shared"], line["topology"]) == ("unknown", "unknown")
    assert "shared" not in lines_of(network_table([MEASURED], Allowance()))[0]


def test_hosts_stand_with_their_switch_ports() -> None:
    hosts = [SiteHost(name="n1", switch_port="leaf1/7", features=("fast",)), SiteHost(name="n2")]
    assert [list(line.values()) for line in lines_of(host_table(hosts, Allowance()))] == [
        ["n1", "leaf1/7", "unknown", "fast"],
        ["n2", "unknown", "unknown", "–"],
    ]
