"""Open and folded parts of a report, and the widths of its tables."""

from __future__ import annotations

import re

import pytest

from heorot.report.page import format_report
from heorot.report.tables.table import MOST_COLUMNS
from tests.unit.report.samples import MACHINE_ROWS, make_evaluation


@pytest.fixture(scope="module")
def main() -> str:
    """The report without its head and navigation."""
    page = format_report(make_evaluation(), MACHINE_ROWS)
    return page.partition('<main id="main">')[2].partition("</main>")[0]


def standing_open(text: str) -> str:
    """The content before a reader opens any part."""
    depth, kept = 0, []
    for part in re.split(r"(<details[^>]*>|</details>)", text):
        if part.startswith("<details"):
            depth += 1
        elif part == "</details>":
            depth -= 1
        elif depth == 0:
            kept.append(part)
    assert depth == 0
    return "".join(kept)


def section(main: str, name: str) -> str:
    """A section by its id."""
    return main.partition(f'<section id="{name}"')[2].partition("</section>")[0]


def test_no_table_has_more_columns_than_there_is_room_for(main: str) -> None:
    heads = re.findall(r"<thead>(.*?)</thead>", main, re.DOTALL)
    counts = [head.count("<th ") for head in heads]
    assert len(counts) > 10
    assert max(counts) == MOST_COLUMNS  # some have so many, and open to more
    assert '<details class="more">' in main


@pytest.mark.parametrize("name", ["f-compute", "f-memory", "f-messages", "f-npb"])
def test_a_family_opens_with_a_figure_and_folds_its_programs(main: str, name: str) -> None:
    whole = section(main, name)
    opening = standing_open(whole)
    assert opening.count("<figure") == 1
    assert "<article" in whole
    assert "<article" not in opening
    assert "<table" not in opening


@pytest.mark.parametrize("name", ["cross", "trouble", "configuration"])
def test_of_what_is_behind_the_results_no_table_stands_open(main: str, name: str) -> None:
    whole = section(main, name)
    assert "<table" in whole
    assert "<table" not in standing_open(whole)


def test_a_headline_stands_in_one_place(main: str) -> None:
    headlines = re.findall(r'<a href="#(r\d+)">[^<]*</a><span class="sub">', main)
    assert len(headlines) == len(set(headlines))
    assert main.count('class="scores"') == 1
