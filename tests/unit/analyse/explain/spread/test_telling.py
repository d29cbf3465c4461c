"""What is said of programs over several nodes, with all numbers, on rates chosen by hand."""

from __future__ import annotations

from heorot.analyse.explain.spread.telling import attribute, sentences
from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from tests.unit.analyse.explain.problems import a_run_of
from tests.unit.analyse.explain.spread.placing import (
    a_run_over,
    divided,
    of_dust,
    over,
    placed,
)
from tests.unit.model.keys import but


def said(context: Context, *breakdowns: Breakdown) -> list[str]:
    return [each.text for each in sentences(context, breakdowns)]


def lost(context: Context, *breakdowns: Breakdown) -> list[str]:
    return [each.text for each in attribute(context, breakdowns)]


def one_and_two(solver: float, dust: float) -> list[Result]:
    """Four ranks of both programs on one node and on two, with these factors between the times."""
    return [
        *(placed(3.1e9, 1, 4), placed(3.1e9 / solver, 2, 4)),
        *(of_dust(1e9, 1, 4), of_dust(1e9 / dust, 2, 4)),
    ]


def test_programs_are_told_by_what_spreading_costs_the_most_sensitive_first() -> None:
    rows = one_and_two(3.1, 4.4)
    (told,) = sentences(a_run_of(*rows), [])
    assert told.text == (
        "Spread over 2 nodes instead of one, 4 ranks take: Dust with 512 particles 4.40 "
        "[4.31…4.49 in 3 launches] times as long, Solver class W 3.10 [3.04…3.16 in 3 "
        "launches]."
    )
    assert (told.family, told.weight) == ("grids", 0.75)
    assert set(told.evidence) == {row.id for row in rows}


def test_what_makes_no_difference_and_what_gains_is_said() -> None:
    (told,) = said(a_run_of(*one_and_two(0.8, 1.0)))
    assert told.endswith(
        "4 ranks take: Solver class W 0.800 [0.784…0.816 in 3 launches] times as long, Dust with "
        "512 particles as long (no difference that 3 launches can show); Solver is faster so."
    )


def test_the_placement_that_most_programs_ran_in_is_told_by_their_largest_problems() -> None:
    rows = [
        *one_and_two(2.0, 3.0),
        *(placed(1e9, 1, 8), placed(0.1e9, 2, 8)),
        *(placed(1e9, 1, 4, point={"class": "A"}), placed(0.4e9, 2, 4, point={"class": "A"})),
        *(placed(1e9, 1, 4, point={"class": "S"}), placed(0.1e9, 2, 4, point={"class": "S"})),
    ]
    (told,) = said(a_run_of(*rows))
    assert told == (
        "Spread over 2 nodes instead of one, 4 ranks take: Dust with 512 particles 3.00 "
        "[2.94…3.06 in 3 launches] times as long, Solver class A 2.50 [2.45…2.55 in 3 "
        "launches]."
    )


def test_full_nodes_are_told_by_what_a_core_is_worth_on_them() -> None:
    full, apart = placed(1e9, 1, 4), placed(1.25e9, 4, 4)
    rows = [full, apart, of_dust(1e9, 1, 4), of_dust(0.5e9, 4, 4)]
    divisions = [divided(full, 1.5, 0.0), divided(apart, 1.2, 0.1)]
    _, told = sentences(a_run_of(*rows), divisions)
    assert told.text == (
        "With 4 ranks on a node instead of one, 4 ranks take: Solver class W 1.25 [1.23…1.28 "
        "in 3 launches] times as long, Dust with 512 particles 0.500 [0.490…0.510 in 3 "
        "launches]; so a core is worth up to 20 % [18…22 in 3 launches] less on the fuller "
        "nodes; computing alone takes 1.39 [1.39…1.39 in 3 launches] times as long in Solver."
    )
    assert set(divisions[0].rows + divisions[1].rows) <= set(told.evidence)
    assert told.weight == 0.85


def test_full_nodes_that_cost_nothing_beyond_the_intervals_are_said_to() -> None:
    _, told = sentences(a_run_of(placed(1e9, 1, 4), placed(1e9, 4, 4)), [])
    assert told.text.endswith(
        "4 ranks take: Solver class W as long (no difference that 3 launches can show)."
    )
    assert told.weight == 0.5


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


def test_networks_are_told_against_the_fastest() -> None:
    fast = [placed(4e9, 2, 8), of_dust(1e9, 2, 8)]
    slow = [placed(1e9, 2, 8), of_dust(1e9, 2, 8)]
    context = a_run_over(["eth", "ib"], *over("ib", fast), *over("eth", slow))
    (told,) = said(context)
    assert told == (
        "Over eth instead of ib, 8 ranks on 2 nodes take: Solver class W 4.00 [3.92…4.08 in 3 "
        "launches] times as long, Dust with 512 particles as long (no difference that 3 launches "
        "can show)."
    )


def test_every_network_has_its_sentence_and_its_reasons() -> None:
    inside, spread = placed(4e9, 1, 2), placed(2e9, 2, 2)
    slow, fast = over("eth", [spread])[0], over("ib", [spread])[0]
    slow = slow.model_copy(update={"median": 1e9, "ci_low": 1e9, "ci_high": 1e9})
    context = a_run_over(["eth", "ib"], inside, slow, fast)
    told = [each for each in sentences(context, []) if each.text.startswith("Spread")]
    eth, ib = (each.text for each in told)
    assert told[0].weight < told[1].weight == 0.75
    assert eth.startswith("Spread over 2 nodes (eth) instead of one, 2 ranks take: Solver")
    assert ib.startswith("Spread over 2 nodes (ib) instead of one, 2 ranks take: Solver")
    divisions = [divided(inside, 1.0, 0.1), divided(slow, 4.0, 0.7), divided(fast, 2.0, 0.5)]
    first, second, *_ = lost(context, *divisions)
    assert first == (
        "Solver class W with 2 ranks takes 4.00 [3.96…4.04 in 3 launches] times as long on 2 "
        "nodes (eth) as on one: communication takes 70 % [70…70 in 3 launches] of the time, "
        "against 10 % [10…10 in 3 launches]."
    )
    assert second.endswith(
        "(ib) as on one: communication takes 50 % [50…50 in 3 launches] of the time, against "
        "10 % [10…10 in 3 launches]."
    )


def test_a_program_that_is_faster_on_several_nodes_says_why() -> None:
    one, two = placed(1e9, 1, 4), placed(1.25e9, 2, 4)
    divisions = [divided(one, 1.0, 0.0), divided(two, 0.8, 0.1)]
    (told,) = attribute(a_run_of(one, two), divisions)
    assert told.text == (
        "Solver class W with 4 ranks takes 0.800 [0.784…0.816 in 3 launches] times as long on 2 "
        "nodes as on one: computing takes 0.720 [0.720…0.720 in 3 launches] times as long."
    )
    assert (told.benchmark, told.lost) == (one.benchmark, 0.0)
    assert told.evidence == (two.id, one.id, *divisions[0].rows, *divisions[1].rows)
    (without,) = lost(a_run_of(one, two))
    assert without.endswith("times as long on 2 nodes as on one.")


def test_nodes_may_help_first_and_hurt_then() -> None:
    rows = [placed(1e9, 1, 4), placed(1.25e9, 2, 4), placed(0.5e9, 4, 4)]
    hurt, helped = lost(a_run_of(*rows))
    assert hurt == (
        "Solver class W with 4 ranks takes 2.00 [1.96…2.04 in 3 launches] times as long on 4 "
        "nodes as on one."
    )
    assert helped == (
        "Solver class W with 4 ranks takes 0.800 [0.784…0.816 in 3 launches] times as long on 2 "
        "nodes as on one."
    )


def test_of_problems_that_gain_the_largest_is_told() -> None:
    small = [placed(1e9, 1, 4), placed(2e9, 2, 4)]
    large = [placed(1e9, 1, 4, point={"class": "A"}), placed(1.25e9, 2, 4, point={"class": "A"})]
    (text,) = lost(a_run_of(*small, *large))
    assert text.startswith("Solver class A with 4 ranks takes 0.80")
    large[1] = placed(0.5e9, 2, 4, point={"class": "A"})
    hurt, helped = lost(a_run_of(*small, *large))
    assert hurt.startswith("Solver class A with 4 ranks takes 2.00 [1.96")
    assert helped.startswith("Solver class W with 4 ranks takes 0.500 [")


def test_what_nodes_do_not_matter_to_needs_no_sentence() -> None:
    assert lost(a_run_of(placed(1e9, 1, 4), placed(1e9, 2, 4))) == []


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
