"""The glossary: every word and every source once, those of the families that ran."""

from __future__ import annotations

from dataclasses import replace

from heorot.families import FAMILIES
from heorot.report.sections.glossary import glossary


def test_words_and_sources_come_once() -> None:
    terms, sources = glossary(FAMILIES)
    assert len(set(sources)) == len(sources)
    assert all(meaning.endswith(".") for meaning in terms.values())
    assert next(iter(terms)) == "median"


def test_families_add_theirs_and_nobody_else() -> None:
    general, _ = glossary(())
    for family in FAMILIES:
        terms, sources = glossary((family,))
        assert terms.keys() - general.keys() == set(family.glossary)
        assert set(family.sources) <= set(sources)


def test_the_first_meaning_of_a_word_holds() -> None:
    terms, _ = glossary((replace(FAMILIES[0], glossary={"median": "Something else."}),))
    assert terms["median"] != "Something else."
