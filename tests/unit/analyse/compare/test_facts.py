"""Machines side by side: differences are listed, unknown facts are reported as unknown."""

from __future__ import annotations

from dataclasses import replace

from heorot.analyse.compare.facts import build_facts, differing_facts
from tests.unit.analyse.compare.contenders import BUILD

A = {"kernel": "6.1", "governor": "performance", "memory": "64 GiB", "driver": "e1000e"}


def test_only_what_differs_is_listed_with_all_values_and_what_it_may_touch() -> None:
    (fact,) = differing_facts([A, A, A | {"governor": "powersave"}])
    assert fact.what == "governor"
    assert fact.values == ("performance", "performance", "powersave")
    assert fact.touches == ("computing",)
    assert fact.differs


def test_what_is_unknown_of_a_run_is_no_difference_and_is_listed() -> None:
    (fact,) = differing_facts([A, A | {"kernel": ""}])
    assert fact.values == ("6.1", "unknown")
    assert not fact.differs
    assert fact.is_unknown
    assert differing_facts([A | {"kernel": ""}, A | {"kernel": ""}]) == ()


def test_of_a_published_machine_nothing_is_known_and_nothing_said() -> None:
    assert differing_facts([A, A, None]) == ()
    (fact,) = differing_facts([A, A | {"driver": "mlx5_core"}, None])
    assert fact.values == ("e1000e", "mlx5_core", "unknown")
    assert fact.touches == ("messages",)


def test_a_part_of_a_fact_touches_what_the_fact_does() -> None:
    on, off = (A | {"mitigations: meltdown": text} for text in ("PTI", "off"))
    (fact,) = differing_facts([on, off])
    assert "computing" in fact.touches


def test_parts_that_one_run_does_not_know_stand_as_one_fact() -> None:
    parts = {"mitigations: a": "on", "mitigations: b": "off", "mitigations: c": "x"}
    first, second = A | parts, A | parts | {"mitigations: c": "y"}
    differing, other = sorted(differing_facts([A, first, second]), key=lambda fact: -len(fact.what))
    assert (differing.what, differing.values) == ("mitigations: c", ("unknown", "x", "y"))
    assert other.values == ("unknown", "on record", "on record")
    assert (other.what, other.differs) == ("mitigations", False)


def test_all_builds_of_a_run_are_listed_once() -> None:
    other = replace(BUILD, compiler="Clang 16")
    facts = build_facts([BUILD, other, BUILD])
    assert facts["compiler"] == "Clang 16 | GNU 12.2.0"
    assert facts["flags"] == "-O3"
    assert build_facts([]) == {}
