"""A recipe declares the values of a launch, and a launch without one of them is incomplete."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import RecipeError
from heorot.model.point import NOWHERE
from heorot.model.run.program_record import ProgramRecord
from heorot.recipes.transcript import transcribe
from tests.unit.recipes.conftest import a_launch, a_record, read, with_metrics
from tests.unit.recipes.test_transcript import RATE, SPEED, TABLE, TIME

BYTES = TABLE.replace("(?P<kind>\\w+) ", "")


def record_of(folder: Path, output: str, *metrics: str, more: str = "") -> ProgramRecord:
    """The record of a launch that printed this."""
    recipe = read(folder, with_metrics(*metrics, more=more))
    record = transcribe(recipe, a_launch(), a_record(), output)
    assert record.problem == ""
    return record


def gaps(record: ProgramRecord) -> list[tuple[str, float, str | None, object]]:
    """The checks that failed, with the coordinate that is not the case's own."""
    assert record.end is not None
    assert record.end.passed == (not record.checks)
    assert record.end.failed == len(record.checks)
    return [
        (each.name, each.value, each.region, (each.point or NOWHERE).get("bytes"))
        for each in record.checks
    ]


@pytest.mark.parametrize(
    "values",
    ["{bytes: [1, 2, 4]}", "{bytes: {first: 1, steps: 2}}", "{bytes: {first: 1, last: 7}}",
     '{bytes: {first: 1, last: "{largest}"}}', '{bytes: [1, "2", "{largest}"]}'],
)  # fmt: skip
def test_values_that_should_be_there_are_named(tmp_path: Path, values: str) -> None:
    metric, more = f"{BYTES}, values: {values}", "parameters: {largest: 4}\n"
    assert gaps(record_of(tmp_path, "1 0.5\n2 0.6\n4 0.7\n", metric, more=more)) == []
    record = record_of(tmp_path, "1 0.5\n4 0.7\n", metric, more=more)
    assert gaps(record) == [("latency: missing values", 1.0, "table", 2)]
    assert [region.point["bytes"] for region in record.regions[1:]] == [1, 4]


def test_a_value_that_should_not_be_there_is_refused(tmp_path: Path) -> None:
    record = record_of(tmp_path, "1 0.5\n12 0.6\n", BYTES + ", values: {bytes: [1, 512]}")
    assert gaps(record) == [
        ("latency: a value that its recipe does not declare", 1.0, "table", 12),
        ("latency: missing values", 1.0, "table", 512),
    ]
    assert [region.point["bytes"] for region in record.regions[1:]] == [1]


def test_a_series_may_grow_faster(tmp_path: Path) -> None:
    metric = BYTES + ", values: {bytes: {first: 1, times: 4, steps: 2}}"
    assert gaps(record_of(tmp_path, "1 1\n4 1\n16 1\n", metric)) == []


def test_regions_are_named_as_they_are_kept(tmp_path: Path) -> None:
    metric = SPEED + ", values: {region: [TRIAD, BIG COPY]}"
    assert gaps(record_of(tmp_path, "TRIAD: 1\nBIG COPY: 2\n", metric)) == []
    assert gaps(record_of(tmp_path, "TRIAD: 1\n", metric)) == [
        ("speed: missing values", 1.0, "big_copy", None)
    ]


def test_several_groups_are_multiplied(tmp_path: Path) -> None:
    metric = TABLE + ", values: {bytes: [1, 2], kind: [near, far]}"
    assert len(gaps(record_of(tmp_path, "1 near 0.5\n2 far 0.5\n", metric))) == 2


@pytest.mark.parametrize("values", ["3", '"{largest}"'])
def test_a_number_of_values_is_enough(tmp_path: Path, values: str) -> None:
    metric, more = f"{BYTES}, values: {values}", "parameters: {largest: 3}\n"
    assert gaps(record_of(tmp_path, "1 1\n2 1\n4 1\n", metric, more=more)) == []
    record = record_of(tmp_path, "1 1\n", metric, more=more)
    assert gaps(record) == [("latency: missing values", 2.0, "latency", None)]
    assert len(record.regions) == 2
    beyond = transcribe(
        read(tmp_path, with_metrics(metric, RATE, more=more)),
        a_launch(),
        a_record(),
        "1 1\n2 1\n4 1\n8 1\nrate 1\n",
    )
    assert len(beyond.checks) == 4  # it is unknown which of them is superfluous
    assert [each.name for each in beyond.regions[1:]] == ["program"]


def test_a_gap_leaves_what_stands_beside_it_good(tmp_path: Path) -> None:
    recipe = read(tmp_path, with_metrics(RATE, TIME))
    record = transcribe(recipe, a_launch(), a_record(), "rate x\ntime 5\n")
    (check,) = record.checks
    assert check.name == "rate is `x`: no number"
    (region,) = record.regions[1:]
    assert list(region.counts) == ["time"]
    assert check.region == region.name
    assert check.point != region.point


@pytest.mark.parametrize(
    ("metric", "why"),
    [
        (BYTES + ", values: {size: [1]}", "no values are given for `bytes`"),
        (BYTES + ", values: {bytes: [1], kind: [a]}", "the pattern has no group `kind`"),
        (TABLE + ", values: {bytes: [1]}", "no values are given for `kind`"),
        (RATE + ", values: 2", "a pattern without another group than `value` has one value"),
        (BYTES + ', values: "{what}"', "`{what}` has no value"),
        (BYTES + ', values: "{kind}"', "`big` is no whole number"),
        (BYTES + ", values: {bytes: {first: 0, steps: 2}}", "a series begins with 0"),
        (BYTES + ", values: {bytes: {first: 4, last: 1}}", "the series from 4 is empty"),
        (BYTES + ", values: {bytes: {first: 1, last: 9, steps: 2}}", "give one of them"),
        (BYTES + ", values: {bytes: {first: 1, steps: 4000}}", "series from 1 is empty"),
        (BYTES + ", values: {bytes: []}", "values"),
        (BYTES + ", values: 0", "values"),
    ],
)
def test_what_cannot_be_declared(tmp_path: Path, metric: str, why: str) -> None:
    with pytest.raises(RecipeError) as caught:
        read(tmp_path, with_metrics(metric))
    assert why in str(caught.value)
    assert "small.yaml:" in str(caught.value)


def test_a_value_of_a_user_that_is_none_is_a_reason(tmp_path: Path) -> None:
    metric, more = BYTES + ', values: "{largest}"', "parameters: {largest: 3}\n"
    recipe = read(tmp_path, with_metrics(metric, more=more))
    step = a_launch(options={"size": 8, "kind": "big", "largest": "all"})
    record = transcribe(recipe, step, a_record(), "1 1\n")
    assert record.problem == "`values` of `latency`: `all` is no whole number"


def test_words_are_compared_whatever_their_letters(tmp_path: Path) -> None:
    check = "name: kind, pattern: 'kind (?P<value>\\S+)', equals: '{kind}'"
    recipe = read(tmp_path, with_metrics(RATE, verification=check))
    for word, passed in (("BIG", True), ("big", True), ("bigger", False)):
        record = transcribe(recipe, a_launch(), a_record(), f"rate 1\nkind {word}\n")
        assert [(each.name, each.passed) for each in record.checks] == [
            ("kind: other than `big`", passed)
        ]


def test_numbers_are_compared_as_numbers(tmp_path: Path) -> None:
    check = "name: size, pattern: 'size (?P<value>\\S+)', equals: '{size}', region: program"
    recipe = read(tmp_path, with_metrics(RATE, verification=check))
    for word, passed in (("8", True), ("8.0", True), ("16", False), ("none", False)):
        record = transcribe(recipe, a_launch(), a_record(), f"rate 1\nsize {word}\n")
        assert [(each.passed, each.region) for each in record.checks] == [(passed, "program")]


def test_what_must_be_equal_has_a_value(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="needs a group"):
        read(tmp_path, with_metrics(RATE, verification="name: a, pattern: 'A', equals: '1'"))
