"""The glossary: every word and every source once, those of the families that ran."""

from __future__ import annotations

from dataclasses import replace

from heorot.families import FAMILIES
from heorot.model.catalogue.family import Term
from heorot.report.sections.glossary import glossary


def test_words_and_sources_come_once() -> None:
    terms, sources = glossary(FAMILIES)
    words = [term.word for term in terms]
    assert len(set(words)) == len(words)
    assert len(set(sources)) == len(sources)
    assert all(term.meaning.endswith(".") for term in terms)
    assert words[0] == "median"


def test_families_add_theirs_and_nobody_else() -> None:
    general, _ = glossary(())
    for family in FAMILIES:
        terms, sources = glossary((family,))
        assert {term.word for term in terms[len(general) :]} == {
            term.word for term in family.glossary
        }
        assert set(family.sources) <= set(sources)


def test_the_first_meaning_of_a_word_holds() -> None:
    family = replace(FAMILIES[0], glossary=(Term(word="median", meaning="Something else."),))
    terms, _ = glossary((family,))
    (median,) = [term for term in terms if term.word == "median"]
    assert median.meaning != "Something else."
