"""Damaged files of a run: valid records, or one line with a hint; no impossible number."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from heorot.collect.collect import collect
from heorot.errors import RunError
from heorot.model.analysis.result import Finding, RecordedClaims
from heorot.store.directory import RunDirectory
from heorot.store.samples import read_samples, write_samples
from tests.unit.damage import assert_one_line, damaged_bytes, damaged_json

OLD_RUN = Path(__file__).parents[2] / "samples" / "runs" / "peak_0.1.0"
READERS: dict[str, Callable[[RunDirectory], object]] = {
    "run.json": RunDirectory.facts,
    "machine.json": RunDirectory.machine,
    "plan.json": RunDirectory.plan,
    "findings.json": RunDirectory.claims,
    "jobs/J0001/steps.json": lambda run: run.steps(1),
}
# The program judges values of options and of the user's own case.
_FREE = {"options", "chosen"}
# Opening the database takes ten times as long as reading a file.
FEW = settings(max_examples=settings().max_examples // 5)
_NASTY_VALUES = (
    *("NULL", "-1", "0", "'x'", "'nan'::DOUBLE", "'inf'::DOUBLE", "-1e300", "1e300", "2^62"),
    *("''", "'{}'", "'{\"a\":1e400}'", "'[]'", "repeat('[', 9000)", "repeat('9', 5000)", "true"),
    *(
        "sample",
        "seconds",
        "series",
        "-seconds",
        "1 - sample",
        "[1]",
        "'a'::BLOB",
        "DATE '2020-1-1'",
    ),
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunDirectory:
    """A run with samples and a finding, which the tests damage."""
    path = tmp_path_factory.mktemp("runs") / "peak"
    shutil.copytree(OLD_RUN, path)
    directory = RunDirectory.open(path)
    finding = Finding(text="slow", severity="warning", evidence=("S0001",))
    directory.write_claims(RecordedClaims(findings=(finding,)))
    write_samples(directory.samples_file, collect(directory.all_steps(), directory.jobs).series)
    return directory


def _numbers(value: Any) -> Iterator[float]:
    """All numbers in a record that has bounds for them."""
    if isinstance(value, BaseModel):
        value = {name: getattr(value, name) for name in type(value).model_fields}
    if isinstance(value, dict):
        value = [item for name, item in value.items() if name not in _FREE]
    if isinstance(value, tuple | list):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, int | float):
        yield value


@pytest.mark.slow
@given(st.sampled_from(sorted(READERS)), st.data())
def test_records(run: RunDirectory, file: str, data: st.DataObject) -> None:
    path = run.path / file
    original = path.read_bytes()
    path.write_bytes(data.draw(damaged_json(original) | damaged_bytes(original)))
    try:
        found = READERS[file](run)
    except RunError as error:
        assert_one_line(error, path)
    else:
        assert all(0 <= number < 1e100 for number in _numbers(found))
    finally:
        path.write_bytes(original)


@pytest.mark.slow
@FEW
@given(st.data())
def test_values_of_samples(
    run: RunDirectory, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """A valid Parquet file with an unexpected value in a column."""
    columns = duckdb.read_parquet(str(run.samples_file)).columns
    column, value = data.draw(st.sampled_from(columns)), data.draw(st.sampled_from(_NASTY_VALUES))
    rows = data.draw(st.sampled_from(("true", "sample = 0", "sample = 1", "series = 0")))
    path = tmp_path_factory.getbasetemp() / "damaged.parquet"
    changed = f'CASE WHEN {rows} THEN {value} ELSE "{column}" END'
    source = f'SELECT * REPLACE ({data.draw(st.sampled_from((value, changed)))} AS "{column}")'
    try:
        with duckdb.connect() as connection:
            damaged = connection.sql(f"{source} FROM '{run.samples_file}'")
            damaged.write_parquet(str(path))
    except duckdb.Error:
        return  # such a file cannot be
    _assert_samples(path)


@pytest.mark.slow
@FEW
@given(st.data())
def test_bytes_of_samples(
    run: RunDirectory, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.parquet"
    path.write_bytes(data.draw(damaged_bytes(run.samples_file.read_bytes())))
    _assert_samples(path)


def _assert_samples(path: Path) -> None:
    try:
        found = read_samples(path)
    except RunError as error:
        assert_one_line(error)
        return
    for series in found:
        assert len(series.seconds) > 0
        assert all(0.0 < second < math.inf for second in series.seconds)
        assert min(series.launch, series.attempt, series.nodes, series.ranks, series.threads) >= 1
        assert min(series.per_node, series.repetitions) >= 1
        assert all(0.0 <= amount < 1e100 for amount in series.counts.values())


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("plan.json", '"seed": 1069939539', '"seed": -1'),
        ("plan.json", '"seconds": 60.3,', '"seconds": -1,'),
        ("plan.json", '"ranks": 1', '"ranks": 0'),
        ("plan.json", '"launch": 1', '"launch": 4294967296000'),
        ("plan.json", '"memory_bytes": 0', '"memory_bytes": -5'),
        ("plan.json", '"id": "S0001"', '"id": "../../S0001"'),
        ("plan.json", '"id": "S0001"', '"id": "S\\u00001"'),
        ("run.json", '"started": 1', '"started": NaN, "x": 1'),
        ("run.json", '"setup_seconds": ', '"setup_seconds": -'),
        ("machine.json", '"n_usable_cores": ', '"n_usable_cores": -'),
        ("machine.json", '"n_usable_cores": ', f'"n_usable_cores": {"9" * 400}'),
    ],
)
def test_numbers_that_cannot_be(run: RunDirectory, file: str, old: str, new: str) -> None:
    text = (OLD_RUN / file).read_text()
    assert old in text
    (run.path / file).write_text(text.replace(old, new))
    try:
        with pytest.raises(RunError, match="is damaged") as caught:
            READERS[file](run)
    finally:
        (run.path / file).write_text(text)
    assert_one_line(caught.value)
