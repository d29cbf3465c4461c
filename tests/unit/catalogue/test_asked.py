"""Options are read as programs read them; formulas are arithmetic and nothing else."""

from __future__ import annotations

import pytest

from heorot.catalogue.asked import Asked
from heorot.catalogue.programs import Value, default, described, evaluate
from heorot.model.catalogue.benchmark import Case


def asked(program: str, **options: str | float) -> Asked:
    named = {name.replace("_", "-"): value for name, value in options.items()}
    return Asked(program, Case(name="x", options=dict(named), ranks=3, threads=2))


def test_what_is_not_asked_for_is_as_the_program_has_it() -> None:
    plain = asked("memory/gups")
    assert plain.number("max-bytes") == default("memory/gups", "max-bytes") == 64 << 20
    assert plain.items("regions") == ("update", "exact")
    assert plain.budget_seconds == 1.0
    assert not plain.flag("star")
    assert asked("algorithms/dense_solve").numbers("n") == (33, 100, 250, 500, 1000)


def test_numbers_have_units_and_are_above_0() -> None:
    assert asked("memory/gups", max_bytes="16M").number("max-bytes") == 16 << 20
    assert asked("memory/gups", budget="0.25").budget_seconds == 0.25
    for wrong in ("-1", "x", "", "inf", "nan", "0"):
        assert asked("memory/gups", budget=wrong).budget_seconds == 1.0


def test_lists_have_what_the_program_knows_in_its_order() -> None:
    assert asked("memory/gups", regions="exact,updat,update").items("regions") == (
        "update",
        "exact",
    )
    assert asked("algorithms/dense_solve", n="5,x,0,7").numbers("n") == (5, 7)
    assert asked("messages/ring", sizes="0,8").numbers("sizes", least=0) == (0, 8)


def test_costs_follow_from_options_and_the_size_of_the_job() -> None:
    assert asked("memory/gups", max_bytes="1M").cost("working_set_bytes") == 3 << 20
    alone, star = (
        asked("algorithms/linear_solver", n=10, **more) for more in ({}, {"star": "true"})
    )
    assert alone.cost("working_set_bytes") == 800
    assert star.cost("working_set_bytes") == 2400
    several = asked("algorithms/matrix_vector", max_n=5)
    assert several.cost("working_set_bytes") == 3 * 8 * 25


def test_more_than_a_machine_can_hold_is_a_number_still() -> None:
    endless = asked("algorithms/dense_solve", n="1" + 300 * "0")
    assert endless.cost("memory_bytes") == 10**18


def test_of_a_program_that_nobody_described_nothing_is_known() -> None:
    with pytest.raises(LookupError, match="is not described yet"):
        described("memory/none")


VALUES: dict[str, Value] = {
    "n": 3,
    "sizes": (5, 20),
    "none": (),
    "names": ("a", "b"),
    "class_": "W",
}


@pytest.mark.parametrize(
    ("formula", "number"),
    [
        ("((n + 1) * 2.5)", 10.0),
        ("((n - 1) / 4)", 0.5),
        ("max(n, max(sizes))", 20.0),
        ("min(n, 2)", 2.0),
        ("max(none)", 0.0),
        ("(max(none) or n)", 3.0),
        ("(len(names) + ('b' in names) - ('c' in names))", 3.0),
        ("{'S': 1, 'W': 7.5}[class_]", 7.5),
        ("{'S': 1}[class_]", 0.0),
        ("sum((each * n) for each in sizes)", 75.0),
        ("sum(each for each in none)", 0.0),
        ("sum(1 for each in sweep(n, 24, 1))", 4.0),
        ("sum(each for each in sweep(1, 4, 0.5))", 5.0),
        ("sum(1 for each in sweep(4, n, 1))", 0.0),
        ("sum(1 for each in sweep(1, 2, 1000))", 65.0),
        ("sum(1 for each in sweep(1, 1e308, 0.0001))", 1.0),
        ("(ceil((n / 2)) + floor((n / 2)))", 3.0),
        ("log2((n + 5))", 3.0),
        ("log2(0)", -1022.0),
        ("(factors(1) + factors(13))", 1.0),
        ("factors((4 * n))", 3.0),
        ("(('W' in class_) + ('S' in class_))", 1.0),
    ],
)
def test_formulas(formula: str, number: float) -> None:
    assert evaluate(formula, VALUES) == number


@pytest.mark.parametrize(
    "formula",
    [
        *("__import__('os')", "n.real", "open(n)", "[1]", "'a'", "sizes + 1", "max(n)", "n ** 2"),
        *("sum(n)", "abs(n)", "sum(each for each in n)", "sum(each for each in [1])"),
        "sum(a for a in n for b in n)",
    ],
)
def test_what_is_no_arithmetic_is_refused(formula: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        evaluate(formula, VALUES)
