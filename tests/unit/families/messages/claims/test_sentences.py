"""Sentences on the programs of the family messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.messages.claims.sentences import sentences
from tests.unit.analyse.builders import a_context, a_result, a_step

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def message(median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "messages/pingpong",
        "region": "pingpong",
        "metric": "latency",
        "unit": "s",
        "better": "lower",
        "point": {"bytes": 8},
    }
    return a_result(median=median, **(fields | changes))


def said(*rows: Result) -> list[str]:
    return [each.text for each in sentences(a_context(rows))]


def test_messages_are_reported_by_the_shortest_the_longest_and_half_speed() -> None:
    rate = {"metric": "bandwidth", "unit": "B/s", "better": "higher"}
    rows = [
        message(3e-7),
        message(5e-7, point={"bytes": 1024}),
        message(20e9, point={"bytes": 1 << 16}, **rate),
        message(12e9, point={"bytes": 4 << 20}, **rate),
        message(1620.0, metric="n_half", unit="B", point={}, derived=True),
        message(4000.0, metric="half_rate_size", unit="B", point={}, derived=True),
    ]
    (found,) = sentences(a_context(rows))
    assert found.text == (
        "Latency of 8 B messages inside a node: 300 ns [297…303 in 3 launches] (gnu-12). "
        "Bandwidth at 4 MiB: 12.0 GB/s [11.9…12.1 in 3 launches]. n1/2 is 4.00 kB [3.96…4.04 in 3 "
        "launches]."
    )
    assert found.evidence == (rows[0].id, rows[3].id, rows[5].id)


def test_a_message_between_nodes_is_called_one() -> None:
    assert "between two nodes" in said(message(2e-6, nodes=2))[0]


def test_the_slow_toolchain_is_named() -> None:
    slow = message(9e-7, toolchain="gnu-12+mpich-5")
    fast = message(3e-7, toolchain="gnu-12+openmpi-5")
    best, matters = said(slow, fast)
    assert "300 ns [297…303 in 3 launches] (gnu-12+openmpi-5)" in best
    assert matters == (
        "Latency of 8 B messages: 300 ns [297…303 in 3 launches] with gnu-12+openmpi-5, 900 ns "
        "[891…909 in 3 launches] with gnu-12+mpich-5."
    )


def test_toolchains_within_each_others_intervals_are_alike() -> None:
    rows = [message(3.0e-7, toolchain="a"), message(3.01e-7, toolchain="b")]
    assert len(said(*rows)) == 1


def test_one_toolchain_is_not_compared_with_itself() -> None:
    assert len(said(message(3e-7), message(9e-7, case="far"))) == 1


@pytest.mark.parametrize("flaw", [{"verified": "failed"}, {"plausible": False}])
def test_refused_numbers_are_not_quoted(flaw: dict[str, Any]) -> None:
    assert said(message(3e-7, **flaw)) == []


RATE = {"metric": "bandwidth", "unit": "B/s", "better": "higher", "point": {"bytes": 4 << 20}}
BETWEEN = {"nodes": 2, "case": "two_nodes"}


def test_both_places_are_reported_and_how_much_slower_the_network_is() -> None:
    rows = [
        message(3e-7),
        message(12e9, **RATE),
        message(3e-5, **BETWEEN),
        message(1.1e9, **RATE, **BETWEEN, share_of_ceiling=0.88),
        message(30e3, metric="half_rate_size", unit="B", point={}, derived=True, **BETWEEN),
    ]
    inside, between = sentences(a_context(rows))
    assert inside.text == (
        "Latency of 8 B messages inside a node: 300 ns [297…303 in 3 launches] (gnu-12). "
        "Bandwidth at 4 MiB: 12.0 GB/s [11.9…12.1 in 3 launches]."
    )
    assert between.text == (
        "Latency of 8 B messages between two nodes: 30.0 µs [29.7…30.3 in 3 launches] (gnu-12). "
        "Bandwidth at 4 MiB: 1.10 GB/s [1.09…1.11 in 3 launches], 88.0 % [87.1…88.9 in 3 "
        "launches] of the line rate. n1/2 is 30.0 kB [29.7…30.3 in 3 launches]. Between nodes 8 B "
        "take 100 [98…102 in 3 launches] times as long as inside a node."
    )
    assert inside.weight > between.weight
    assert set(between.evidence) == {row.id for row in (rows[0], *rows[2:])}


def test_a_network_is_held_against_the_same_toolchain_inside_a_node() -> None:
    steps = [a_step(toolchain="b", network=name) for name in ("eth", "ib")]
    rows = [
        message(1e-7, toolchain="a"),
        message(2e-7, toolchain="b"),
        message(40e-7, toolchain="b", network="eth", **BETWEEN),
        message(20e-7, toolchain="b", network="ib", **BETWEEN),
    ]
    reported = [each.text for each in sentences(a_context(rows, steps=steps))]
    assert "Between nodes 8 B take 10.0 [9.8…10.2 in 3 launches] times as long" in reported[1]
    rows += [
        message(rate, **RATE, **BETWEEN, toolchain="b", network=name)
        for rate, name in ((1e9, "eth"), (4e9, "ib"))
    ]
    reported = [each.text for each in sentences(a_context(rows, steps=steps))]
    assert reported[2] == (
        "Latency of 8 B messages: 2.00 µs [1.98…2.02 in 3 launches] over ib, 4.00 µs [3.96…4.04 "
        "in 3 launches] over eth. Bandwidth at 4 MiB: 4.00 GB/s [3.96…4.04 in 3 launches] and "
        "1.00 GB/s [0.99…1.01 in 3 launches]."
    )
    # Networks are no toolchains.
    assert [text.partition(":")[0] for text in reported[3:]] == ["Latency of 8 B messages"]
    assert reported[3].endswith("with b.")


def test_networks_within_each_others_intervals_are_alike() -> None:
    steps = [a_step(toolchain="b", network=name) for name in ("eth", "ib")]
    rows = [
        message(median, toolchain="b", network=name, **BETWEEN)
        for median, name in ((3.00e-6, "eth"), (3.01e-6, "ib"))
    ]
    assert len(sentences(a_context(rows, steps=steps))) == 1


def test_toolchains_between_nodes_are_compared_over_the_same_network() -> None:
    steps = [a_step(toolchain=c, network=name) for c in ("a", "b") for name in ("eth", "ib")]
    rows = [
        message(median, toolchain=chain, network=name, **BETWEEN)
        for median, chain, name in ((3e-6, "a", "ib"), (6e-6, "b", "ib"), (30e-6, "a", "eth"))
    ]
    reported = [each.text for each in sentences(a_context(rows, steps=steps))]
    assert reported[-1].startswith(
        "Latency of 8 B messages between two nodes over ib: 3.00 µs [2.97…3.03 in 3 launches] "
        "with a+ib, 6.00 µs"
    )
    assert sum(text.endswith("with b+ib.") for text in reported) == 1


def test_what_more_ranks_cost_is_told_of_the_shortest_vectors() -> None:
    rows = [
        a_result(
            benchmark="messages/collectives",
            region=region,
            metric="growth",
            unit="s",
            better="lower",
            median=median,
            ranks=64,
            nodes=64,
            point={"bytes": size, "form": form, "from_ranks": 2},
            derived=True,
        )
        for region, size, form, median in (
            ("alltoall", 8, "linear", 0.5e-6),
            ("allreduce", 4096, "logarithmic", 9e-6),
            ("allreduce", 8, "logarithmic", 2e-6),
            ("bcast", 8, "linear", 5e-6),
        )
    ]
    (sentence,) = sentences(a_context(rows))
    assert sentence.text.startswith("Scaling with ranks: MPI_Allreduce of 8 B takes 2.00 ")
    assert "longer per doubling of the ranks; MPI_Alltoall of 8 B" in sentence.text
    assert "per rank (2 to 64 ranks, 1 on each node, gnu-12)" in sentence.text
    flat = [row.model_copy(update={"ci_low": -1e-6}) for row in rows]
    assert sentences(a_context(flat)) == []


def test_what_many_pairs_send_is_reported_beside_one() -> None:
    rows = [
        a_result(
            benchmark="messages/multi_pair",
            region="message_rate",
            metric="message_rate",
            unit="1/s",
            median=rate,
            nodes=2,
            point={"bytes": 8, "pairs": pairs},
        )
        for pairs, rate in ((1, 2e6), (4, 6e6))
    ]
    (sentence,) = sentences(a_context(rows))
    assert sentence.text.startswith("Message rate of 4 pairs of ranks between 2 nodes, 8 B: 6.00 M")
    assert "3.00 [" in sentence.text
    assert sentences(a_context(rows[:1])) == []
