"""Integers: work without a floating-point number in it."""

from __future__ import annotations

from heorot.families.integers.sentences import sentences
from heorot.families.integers.sieve import SIEVE
from heorot.model.catalogue.family import Family

FAMILY = Family(
    name="integers",
    title="Integers",
    about="work without floating-point numbers",
    benchmarks=(SIEVE,),
    sentences=(sentences,),
    glossary={"crossing": "A number that the sieve marks as no prime."},
)
