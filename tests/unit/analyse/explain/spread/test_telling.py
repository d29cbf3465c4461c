"""What is said of programs over several nodes, with all numbers, on rates chosen by hand."""

from __future__ import annotations

from heorot.analyse.explain.spread.telling import attribute, sentences
from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.context import Context
from tests.unit.analyse.explain.problems import a_run_of
from tests.unit.analyse.explain.spread.placing import (
    a_run_over,
    divided,
    of_dust,
    over,
    placed,
)
from tests.unit.model.keys import but


def said(context: Context) -> list[str]:
    return [each.text for each in sentences(context)]


def lost(context: Context, *breakdowns: Breakdown) -> list[str]:
    return [each.text for each in attribute(context, breakdowns)]


def test_threads_on_full_nodes_are_told_against_ranks() -> None:
    rows = [
        *(placed(2e9, 2, 8), placed(1.6e9, 2, 2, 4)),
        *(of_dust(2e9, 2, 8), of_dust(2.5e9, 2, 2, 4)),
    ]
    (told,) = said(a_run_of(*rows))
    assert told == (
        "On 2 nodes, one rank of 4 threads on each takes, against 4 ranks: Solver class W "
        "1.25 [1.23…1.28 in 3 launches] times as long, Dust with 512 particles 0.800 "
        "[0.784…0.816 in 3 launches]; Dust is faster with threads."
    )


def test_full_nodes_are_told_by_speedup_efficiency_and_what_is_lost() -> None:
    one, two = placed(1e9, 1, 4), placed(1.6e9, 2, 8)
    divisions = [divided(one, 1.0, 0.1), divided(two, 0.625, 0.3)]
    (told,) = attribute(a_run_of(one, two), divisions)
    assert told.text == (
        "Solver class W runs 1.60 [1.57…1.63 in 3 launches] times as fast on 2 full nodes (4 "
        "ranks on each) as on one, an efficiency of 80.0 % [78.4…81.6 in 3 launches]: "
        "communication takes 30 % [30…30 in 3 launches] of the time, against 10 % [10…10 in 3 "
        "launches]."
    )
    assert round(told.lost, 3) == 0.2
    efficient = [placed(1e9, 1, 1, 4), placed(1.9e9, 2, 2, 4)]
    (text,) = lost(a_run_of(*efficient))
    assert text.endswith(
        "on 2 full nodes (1 x 4 threads on each) as on one, an efficiency of 95.0 % "
        "[93.1…96.9 in 3 launches]."
    )


def test_full_nodes_name_the_network_where_there_is_a_choice() -> None:
    one, two = placed(1e9, 1, 4), placed(2e9, 2, 8)
    context = a_run_over(["eth", "ib"], one, *over("ib", [two]))
    assert "on 2 full nodes (ib, 4 ranks on each) as on one" in lost(context)[0]


def test_full_nodes_beyond_which_it_slows_down_are_named() -> None:
    rows = [placed(1e9, 1, 4), placed(1.8e9, 2, 8), placed(1.2e9, 4, 16)]
    (text,) = lost(a_run_of(*rows))
    assert text.startswith(
        "Solver class W runs 1.20 [1.18…1.22 in 3 launches] times as fast on 4 full nodes"
    )
    assert text.endswith("an efficiency of 30.0 % [29.4…30.6 in 3 launches]; it is fastest on 2.")
    slower = [placed(1e9, 1, 4), placed(0.5e9, 2, 8)]
    assert lost(a_run_of(*slower))[0].endswith("; it is fastest on one.")


def test_every_toolchain_is_fastest_where_it_is() -> None:
    chain = [placed(1e9, 1, 4), placed(1.8e9, 2, 8), placed(2.4e9, 4, 16)]
    other = [placed(0.9e9, 1, 4), placed(9e9, 2, 8), placed(2.3e9, 4, 16)]
    other = [but(row, toolchain="other") for row in other]
    (text,) = lost(a_run_of(*chain, *other))
    assert text.endswith(
        "on 4 full nodes (4 ranks on each) as on one, an efficiency of 60.0 % [58.8…61.2 in 3 "
        "launches]."
    )


def test_more_than_the_nodes_explain_is_said_to_be_so() -> None:
    one, two = placed(1e9, 1, 4), placed(3e9, 2, 8)
    divisions = [divided(one, 3.0, 0.0), divided(two, 1.0, 0.1)]
    (text,) = lost(a_run_of(one, two), *divisions)
    assert text.endswith(
        "1.50 [1.47…1.53 in 3 launches] times a linear speedup: computing takes 0.600 "
        "[0.600…0.600 in 3 launches] times as long as its share."
    )
    (text,) = lost(a_run_of(one, two))
    assert text.endswith(
        "1.50 [1.47…1.53 in 3 launches] times a linear speedup: more than the nodes explain."
    )


def test_a_run_on_one_node_is_told_nothing_of() -> None:
    context = a_run_of(placed(1e9, 1, 4), placed(1e9, 1, 2), placed(2e9, 1, 1, 4))
    assert said(context) == lost(context) == []
