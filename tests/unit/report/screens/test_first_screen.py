"""Common parts of first screens: muted uncertainty, the heaviest findings, tiles."""

from __future__ import annotations

import re

import pytest

from heorot.model.analysis.claims import format_uncertainty
from heorot.model.analysis.result import Finding, Severity
from heorot.report.screens.first_screen import heaviest, mute_intervals, tile_of


def plain(text: str) -> str:
    return re.sub(r"<[^>]+>", "", str(mute_intervals(text))).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It is 15.0 GB/s [14.7, 15.2; 5 launches].", "It is 15.0 GB/s ±2 %."),
        ("It takes 1.32 [1.30, 1.35] times A.", "It takes 1.32 ±2 % times A."),
        ("It is 42 s [40 s to 1 min 5 s], at most 2 min.", "It is 42 s ±55 %, at most 2 min."),
        ("It is 1 h 5 min [1 h to 1 h 6 min].", "It is 1 h 5 min ±8 %."),
        ("It is 4.10 GB/s [4.09…4.11 in 3 launches].", "It is 4.10 GB/s ±0.2 %."),
        ("Of 1,200 [1,100, 1,320] it is one.", "Of 1,200 ±10 % it is one."),
        ("It is 3 [−1, 4] or so.", "It is 3 [−1, 4] or so."),
        ("It [or not, 3 times] is.", "It [or not, 3 times] is."),
    ],
)
def test_intervals_are_muted_per_cent(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_the_exact_interval_is_shown_on_hover_and_texts_are_escaped() -> None:
    shown = str(mute_intervals("<b> is 15.0 GB/s [14.7, 15.2; 5 launches] & more"))
    assert '<span class="pm" title="14.7, 15.2; 5 launches">±2\N{NO-BREAK SPACE}%</span>' in shown
    assert shown.startswith("&lt;b&gt; is 15.0")
    assert shown.endswith(" &amp; more")


def test_uncertainty_reaches_to_the_farther_end() -> None:
    assert format_uncertainty(100.0, 99.0, 120.0) == "±20 %"
    assert format_uncertainty(100.0, 99.5, 100.2) == "±0.5 %"
    assert format_uncertainty(100.0, None, None) == format_uncertainty(0.0, 0.0, 1.0) == ""


def test_the_heaviest_findings_are_three_and_link_to_the_list() -> None:
    severities: list[Severity] = ["note", "warning", "error", "warning", "error"]
    found = heaviest([Finding(text=f"f{i}", severity=one) for i, one in enumerate(severities)])
    assert [(one.text, one.target) for one in found] == [
        ("f2", "finding-2"),
        ("f4", "finding-4"),
        ("f1", "finding-1"),
    ]


def test_a_tile_has_its_number_apart_from_its_unit() -> None:
    tile = tile_of("Makespan", "43.6 min", note="bound 40 min")
    assert (tile.value, tile.unit, tile.note) == ("43.6", "min", "bound 40 min")
    assert tile_of("Slowdown", "1.23").unit == ""
