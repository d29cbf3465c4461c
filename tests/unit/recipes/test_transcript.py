"""Output of a program becomes regions whose metrics have the printed values."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.model.run.program_record import ProgramRecord
from heorot.recipes.catalogue import benchmark_of
from heorot.recipes.read import read_recipe
from heorot.recipes.transcript import transcribe
from tests.unit.recipes.conftest import a_launch, a_record, read, with_metrics

RATE = r"name: rate, unit: MB/s, better: higher, pattern: 'rate (?P<value>\S+)'"
COST = r"name: cost, unit: h/ns, better: lower, pattern: 'cost (?P<value>\S+)'"
TIME = r"name: time, unit: ms, better: lower, pattern: 'time (?P<value>\S+)'"
SPEED = r"name: speed, unit: op/s, better: higher, pattern: '(?P<region>[A-Z ]+): (?P<value>\S+)'"
TABLE = (
    "name: latency, unit: us, better: lower, region: table, "
    r"pattern: '^(?P<bytes>\d+) (?P<kind>\w+) (?P<value>[\d.]+)$'"
)


def record_of(folder: Path, output: str, *metrics: str) -> ProgramRecord:
    """The record of a launch of two seconds with this output."""
    recipe = read(folder, with_metrics(*metrics))
    return transcribe(recipe, a_launch(), a_record(), output)


def values(folder: Path, record: ProgramRecord) -> dict[tuple[str, str, str], float]:
    """All values by region, coordinates and metric, as the analysis computes them."""
    assert record.problem == ""
    found = {}
    for region in record.regions:
        for metric in benchmark_of(read_recipe(folder / "small.yaml")).metrics:
            amount = metric.amount(region.counts) if region.name != "whole_run" else 0.0
            if amount and metric.name != "run_time":
                (seconds,) = region.seconds
                place = " ".join(str(value) for value in region.point.values())
                value = amount / seconds if metric.is_rate else seconds / amount
                found[region.name, place, metric.name] = value
    return found


@pytest.mark.parametrize(
    "number", ["1", "123.456", "1e-3", "6.02214076e+23", ".5", "7.", "3.0D+02"]
)
@pytest.mark.parametrize("time", [None, "0.1", "1999.9", "3.0e-7"])
def test_values_come_back_exactly(tmp_path: Path, number: str, time: str | None) -> None:
    metrics = (RATE, COST, TIME) if time else (RATE, COST)
    record = record_of(tmp_path, f"rate {number}\ncost {number}\ntime {time}\n", *metrics)
    found = values(tmp_path, record)
    wanted = float(number.replace("D", "e"))
    place = "program", "8 big"
    assert found[*place, "rate"] == pytest.approx(wanted * 1e6, rel=1e-12)
    assert found[*place, "cost"] == pytest.approx(wanted, rel=1e-12)
    region = record.regions[1]
    if time:
        assert found[*place, "time"] == pytest.approx(float(time) * 1e-3, rel=1e-12)
        assert region.seconds == (float(time) * 1e-3,)
    else:
        assert region.seconds == (2.0,)


def test_the_whole_run_stays_first_with_the_values_of_its_case(tmp_path: Path) -> None:
    whole = record_of(tmp_path, "rate 5", RATE).regions[0]
    assert (whole.name, dict(whole.point), whole.seconds) == (
        "whole_run",
        {"size": 8, "kind": "big"},
        (2.0,),
    )


def test_the_first_time_of_a_place_is_its_length(tmp_path: Path) -> None:
    other = TIME.replace("name: time", "name: other").replace("'time", "'other")
    record = record_of(tmp_path, "time 100\nother 200\nrate 5\n", RATE, TIME, other)
    assert record.regions[1].seconds == (0.1,)
    assert values(tmp_path, record)["program", "8 big", "other"] == pytest.approx(0.2, rel=1e-12)


def test_thousands_may_have_commas(tmp_path: Path) -> None:
    record = record_of(tmp_path, "rate 1,234,567.5\n", RATE)
    assert values(tmp_path, record)["program", "8 big", "rate"] == pytest.approx(1234567.5e6)


def test_other_groups_are_coordinates(tmp_path: Path) -> None:
    record = record_of(tmp_path, "bytes kind time\n1 near 0.5\n1 far 1.5\n1024 near 2.5\n", TABLE)
    assert values(tmp_path, record) == {
        ("table", "8 near 1", "latency"): pytest.approx(0.5e-6, rel=1e-12),
        ("table", "8 far 1", "latency"): pytest.approx(1.5e-6, rel=1e-12),
        ("table", "8 near 1024", "latency"): pytest.approx(2.5e-6, rel=1e-12),
    }
    assert record.regions[3].point == {"size": 8, "kind": "near", "bytes": 1024}


def test_coordinates_in_another_order_are_the_same_place(tmp_path: Path) -> None:
    first = TABLE.replace("kind", "way")
    second = (
        "name: rate, unit: MB/s, better: higher, region: table, "
        r"pattern: '^(?P<way>\w+) of (?P<bytes>\d+): (?P<value>\S+)'"
    )
    record = record_of(tmp_path, "1 near 0.5\nnear of 1: 7\n", first, second)
    assert [region.name for region in record.regions] == ["whole_run", "table"]
    assert sorted(record.regions[1].counts) == ["latency", "rate"]


def test_words_that_are_no_numbers_stay_words(tmp_path: Path) -> None:
    long, huge = "w" * 300, "9" * 400
    output = f"1 nan 1.0\n2 1e5 1.0\n3 {huge} 1.0\n4 {long} 1.0\n"
    record = record_of(tmp_path, output, TABLE)
    assert [region.point["kind"] for region in record.regions[1:]] == [
        "nan",
        100000.0,
        "9" * 100,
        "w" * 100,
    ]


def test_a_group_names_the_region(tmp_path: Path) -> None:
    record = record_of(tmp_path, "TRIAD: 1\nBIG COPY: 2\n", SPEED)
    assert set(values(tmp_path, record)) == {
        ("triad", "8 big", "speed"),
        ("big_copy", "8 big", "speed"),
    }


def test_a_region_that_is_only_blanks_is_the_program(tmp_path: Path) -> None:
    assert record_of(tmp_path, "  : 1\n", SPEED).regions[1].name == "program"


def test_a_region_may_name_values_of_the_case(tmp_path: Path) -> None:
    record = record_of(tmp_path, "rate 1", RATE + ', region: "{kind}_{ranks}"')
    assert set(values(tmp_path, record)) == {("big_1", "8", "rate")}


@pytest.mark.parametrize(("pick", "value"), [("first", 1e6), ("last", 3e6)])
def test_one_of_several_can_be_picked(tmp_path: Path, pick: str, value: float) -> None:
    record = record_of(tmp_path, "rate 1\nrate 2\nrate 3\n", f"{RATE}, pick: {pick}")
    assert values(tmp_path, record) == {("program", "8 big", "rate"): pytest.approx(value)}


def test_two_patterns_of_one_metric_tell_of_two_places(tmp_path: Path) -> None:
    other = RATE.replace("'rate", "'speed") + ", region: other"
    record = record_of(tmp_path, "rate 1\nspeed 2\n", RATE, other)
    assert len(values(tmp_path, record)) == 2


def test_a_record_without_an_end_is_left_alone(tmp_path: Path) -> None:
    recipe = read(tmp_path, with_metrics(RATE))
    whole = a_record()
    cut = ProgramRecord(run=whole.run, regions=whole.regions)
    assert transcribe(recipe, a_launch(), cut, "rate 1") == cut


def test_the_original_record_is_not_changed(tmp_path: Path) -> None:
    record = a_record()
    transcribe(read(tmp_path, with_metrics(RATE)), a_launch(), record, "rate 1")
    assert record == a_record()


def test_only_some_launches_print_a_metric(tmp_path: Path) -> None:
    of_many = RATE + ", cases: [other]"
    assert record_of(tmp_path, "time 1\n", TIME, of_many).problem == ""
    of_only = RATE + ", cases: [one]"
    record = record_of(tmp_path, "time 1\n", TIME, of_only)
    assert [(each.name, each.passed) for each in record.checks] == [("rate: missing values", False)]


def test_what_may_be_left_out_may_not_be_all(tmp_path: Path) -> None:
    optional = RATE + ", optional: true"
    assert record_of(tmp_path, "time 1\n", TIME, optional).problem == ""
    nothing = record_of(tmp_path, "", TIME + ", optional: true", optional)
    assert nothing.problem == "nothing it printed matches the pattern of any of `time`, `rate`"


@pytest.mark.parametrize(
    ("metrics", "size", "expected"),
    [
        ((TIME,), "size: {coordinate: size}\n", 4.0),
        ((TIME,), "", None),
        ((TIME, RATE), "size: {coordinate: size}\n", None),
        ((TIME + ", beyond_run: true",), "size: {coordinate: size}\n", None),
    ],
)
def test_where_only_times_are_printed_scaling_is_told_of_solutions_a_second(
    metrics: tuple[str, ...], size: str, expected: float | None, tmp_path: Path
) -> None:
    recipe = read(tmp_path, with_metrics(*metrics, more=size))
    record = transcribe(recipe, a_launch(), a_record(), "time 250\nrate 1\n")
    found = values(tmp_path, record).get(("program", "8 big", "solution_rate"))
    assert found == (expected if expected is None else pytest.approx(expected))
