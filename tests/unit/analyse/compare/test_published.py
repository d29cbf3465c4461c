"""A run against published values: pairs, unknown keys, invalid files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.analyse.compare.published import (
    RunRows,
    compare_published,
    is_published_file,
    read_published,
)
from heorot.errors import FileError
from heorot.families import BENCHMARKS
from heorot.model.analysis.comparison import Comparison
from heorot.model.analysis.published import Publication, PublishedQuantity
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.courses import Letter
from tests.unit.analyse.builders import a_result
from tests.unit.damage import assert_one_line, damaged_bytes

EXAMPLE = Path(__file__).resolve().parents[4] / "docs/examples/machines/xp1000.yaml"
SMALL = """name: Old
source: a report
quantities:
- benchmark: memory/stream
  region: triad
  metric: bandwidth
  unit: B/s
  value: 1.0e+9
"""


def quantity(**changes: Any) -> PublishedQuantity:
    fields: dict[str, Any] = {
        "benchmark": "memory/stream",
        "region": "triad",
        "metric": "bandwidth",
        "unit": "B/s",
        "value": 30e9,
    }
    return PublishedQuantity.model_validate(fields | changes)


def row(**changes: Any) -> Result:
    return a_result(**({"benchmark": "memory/stream", "region": "triad"} | changes))


def compared(rows: list[Result], *quantities: PublishedQuantity, place: Letter = "B") -> Comparison:
    machine = Publication(name="Old", source="a report", quantities=quantities)
    return compare_published(RunRows("first", "here", rows), machine, place)


def test_there_is_a_ratio_and_nothing_is_made_up() -> None:
    (one,) = compared([row()], quantity()).metrics
    assert (one.a_median, one.b_median, one.ratio) == (15e9, 30e9, 2.0)
    assert (one.a_low, one.a_high) == (0.99 * 15e9, 1.01 * 15e9)
    assert (one.b_low, one.b_high, one.ends, one.p_value, one.effect_size) == (None,) * 5
    assert (one.a_n, one.b_n, one.b_launches) == (100, 0, 0)
    assert one.judgement == "untested (interval of B unknown)"
    assert one.stacks.endswith(" / unknown")


@pytest.mark.parametrize(
    ("place", "better", "ratio"),
    [("B", "higher", 2.0), ("A", "higher", 0.5), ("B", "lower", 0.5), ("A", "lower", 2.0)],
)
def test_more_than_1_means_that_b_is_better(place: Letter, better: str, ratio: float) -> None:
    found = compared([row(better=better, disturbed=True)], quantity(note="table 1"), place=place)
    (one,) = found.metrics
    assert one.ratio == ratio
    assert one.lacks == f"interval of {place} unknown; table 1"
    assert one.disturbed == (("B" if place == "A" else "A"),)
    assert (found.a_name, found.b_name) == (("first", "Old") if place == "B" else ("Old", "first"))
    assert found.systems == (("here", "published") if place == "B" else ("published", "here"))
    assert not found.groups
    assert not found.courses


def test_what_is_not_published_of_the_machine_is_reported_as_unknown() -> None:
    (line,) = compared([row()], quantity()).remarks
    assert line == "B: cores unknown; date unknown; source a report"
    known = Publication(name="a", source="b", date="2000", cores=18, quantities=(quantity(),))
    (line,) = compare_published(RunRows("c", "d", []), known, "A").remarks
    assert line == "A: cores 18; date 2000; source b"


@pytest.mark.parametrize(
    "stated",
    [
        {"region": "copy"},
        {"metric": "flop_rate"},
        {"unit": "1/s"},
        {"ranks": 2},
        {"nodes": 2},
        {"threads": 3},
        {"per_node": 2},
        {"copies": True},
        {"point": {"n": 7}},
        {"options": {"n": 7}},
    ],
)
def test_what_is_published_must_agree(stated: dict[str, Any]) -> None:
    found = compared([row(point={"n": 5}, options={"n": 5})], quantity(**stated))
    assert found.metrics == ()
    assert [(one.why, one.metric) for one in found.uncompared] == [
        ("only in B", stated.get("metric", "bandwidth")),
        ("only in A", "bandwidth"),
    ]


def test_what_is_not_published_is_left_open_and_shown_as_unknown() -> None:
    found = compared([row(ranks=4, per_node=4, point={"n": 5}, options={"n": 5})], quantity())
    assert len(found.metrics) == 1
    (lone,) = compared([], quantity(ranks=4)).uncompared
    assert lone.setup.layout == "?x4x?"
    assert lone.id == "memory/stream:published:triad[]:bandwidth@?x4x?/"
    (lone,) = compared([], quantity(per_node=2)).uncompared
    assert lone.setup.layout == "?x?x?, 2 on a node"


def test_it_meets_none_of_several_that_it_does_not_tell_apart() -> None:
    rows = [row(ranks=n, point={"n": size}) for n in (1, 2) for size in (5, 6)]
    found = compared(rows, quantity())
    assert found.metrics == ()
    (left,) = found.uncompared
    assert left.why == "not told apart"
    assert left.detail == "it does not name ranks, n, and the run has several"
    (one,) = compared(rows, quantity(ranks=2, point={"n": 6})).metrics
    assert (one.setup.ranks, one.point["n"]) == (2, 6)


def test_of_several_cases_the_best_sampled_is_compared_with_each_toolchain() -> None:
    rows = [
        row(case="a", n_launches=3),
        row(case="b", n_launches=5),
        row(case="c", toolchain="other", n_launches=1),
    ]
    found = compared(rows, quantity())
    assert [one.case for one in found.metrics] == ["b", "c"]
    (left,) = found.uncompared
    assert (left.why, left.setup.case, left.detail) == ("several cases", "a", "b is compared")


@pytest.mark.parametrize("flaw", [{"verified": "failed"}, {"plausible": False}, {"median": 0.0}])
def test_numbers_without_trust_are_not_compared(flaw: dict[str, Any]) -> None:
    found = compared([row(**flaw)], quantity())
    assert found.metrics == ()
    assert [one.why for one in found.uncompared] == ["only in B"]


def test_the_example_is_read_and_json_too(tmp_path: Path) -> None:
    machine = read_published(EXAMPLE, BENCHMARKS)
    assert (machine.cores, machine.date) == (18, "2000")
    file = tmp_path / "old.json"
    file.write_text(machine.model_dump_json())
    assert read_published(file, BENCHMARKS) == machine
    assert is_published_file(file)
    (tmp_path / "run.yaml").mkdir()
    assert not is_published_file(tmp_path / "run.yaml")
    assert not is_published_file(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("memory/stream", "memory/river", ":4: there is no program memory/river"),
        ("bandwidth", "width", ":6: memory/stream has no metric width, it has: bandwidth"),
        ("B/s", "MB/s", ":7: bandwidth of memory/stream is in B/s"),
        ("1.0e+9", "0", ":8: `quantities.0.value`: Input should be greater than 0"),
        ("1.0e+9", ".inf", ":8: `quantities.0.value`"),
        ("1.0e+9", "fast", ":8: `quantities.0.value`"),
        ("  unit: B/s\n", "", ":4: `quantities.0.unit` is missing"),
        ("name", "nome", ":1: "),
        ("value: 1.0e+9", "value: 1\n  low: 0.9", ":9: unknown key `quantities.0.low`"),
        (SMALL, "name: a\nsource: b\nquantities: []\n", ":3: "),
        (SMALL, "- a\n", ":1: not a publication: keys such as `quantities:` are missing"),
    ],
)
def test_a_wrong_file_is_one_line(tmp_path: Path, old: str, new: str, what: str) -> None:
    file = tmp_path / "old.yaml"
    file.write_text(SMALL.replace(old, new))
    with pytest.raises(FileError) as caught:
        read_published(file, BENCHMARKS)
    assert_one_line(caught.value, file)
    assert str(caught.value).removeprefix(str(file)).startswith(what)


@given(content=damaged_bytes(SMALL.encode()), place=st.sampled_from(("A", "B")))
def test_fuzzed_publications_are_one_line_or_compared(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, place: Letter
) -> None:
    file = tmp_path_factory.getbasetemp() / "damaged.yaml"
    file.write_bytes(content)
    try:
        machine = read_published(file, BENCHMARKS)
    except FileError as error:
        assert_one_line(error, file)
        return
    compare_published(RunRows("first", "here", [row()]), machine, place)
