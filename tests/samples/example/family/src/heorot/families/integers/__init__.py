"""Integers: work without a floating-point number in it."""

from __future__ import annotations

from heorot.families.integers.sieve import SIEVE
from heorot.model.catalogue.family import Family, FamilyAnalysis


def _analysis() -> FamilyAnalysis:
    from heorot.families.integers import sentences

    return FamilyAnalysis(sentences=(sentences.sentences,))


FAMILY = Family(
    name="integers",
    title="Integers",
    about="work without floating-point numbers",
    analysis=_analysis,
    benchmarks=(SIEVE,),
    glossary={"crossing": "A number that the sieve marks as no prime."},
)
