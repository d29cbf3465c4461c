"""samples.parquet returns exactly the measured values, and is complete or missing."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import duckdb
import numpy as np
import pytest

from heorot.errors import RunError, SetupError
from heorot.model.run.series import Series
from heorot.store.keys import KEY_COLUMNS
from heorot.store.samples import read_samples, write_samples
from tests.yardstick import processor_time


def _assert_equal(first: Series, second: Series) -> None:
    for field in dataclasses.fields(Series):
        one, other = getattr(first, field.name), getattr(second, field.name)
        if field.name == "seconds":
            assert one.tobytes() == other.tobytes()
            assert other.dtype == np.float64
        else:
            assert one == other, field.name
            assert repr(one) == repr(other), field.name


def test_every_field_comes_back(tmp_path: Path, series: tuple[Series, ...]) -> None:
    path = tmp_path / 'it\'s [1] * "2"' / "samples.parquet"
    path.parent.mkdir()
    write_samples(path, series)
    read = read_samples(path)
    assert len(read) == len(series)
    for first, second in zip(series, read, strict=True):
        _assert_equal(first, second)
    assert [file.name for file in path.parent.iterdir()] == ["samples.parquet"]


def test_no_samples_are_samples_too(tmp_path: Path) -> None:
    path = tmp_path / "samples.parquet"
    write_samples(path, ())
    assert read_samples(path) == ()


RECORDED = Path(__file__).resolve().parents[2] / "samples/runs/twelve_launches.parquet"


def test_a_file_from_before_phases_were_recorded_is_read() -> None:
    recorded = read_samples(RECORDED)
    assert len(recorded) > 1000
    assert all(one.phases == () for one in recorded)
    assert all(one.own is None and one.starts is None for one in recorded)


def test_a_file_that_lacks_more_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "samples.parquet"
    with duckdb.connect() as connection:
        rows = connection.read_parquet(str(RECORDED))
        rows.select("* EXCLUDE (counts)").write_parquet(str(path))
    with pytest.raises(RunError, match="is damaged"):
        read_samples(path)


def test_other_tools_see_one_row_per_sample(tmp_path: Path, series: tuple[Series, ...]) -> None:
    path = tmp_path / "samples.parquet"
    write_samples(path, series)
    with duckdb.connect() as connection:
        relation = connection.read_parquet(str(path))
        names = set(relation.columns)
        rows = relation.filter("step = 'S0006'").order("sample").select("seconds").fetchall()
    assert {field.name for field in dataclasses.fields(Series)} - {"key"} | {*KEY_COLUMNS} <= names
    assert [row[0] for row in rows] == list(series[6].seconds)


@pytest.mark.slow
@pytest.mark.timed
def test_a_million_samples_take_little_time(tmp_path: Path, series: tuple[Series, ...]) -> None:
    many = [dataclasses.replace(series[i % 40], step=f"S{i}") for i in range(10_000)]
    seconds = np.random.default_rng(1).random((10_000, 100))
    many = [dataclasses.replace(one, seconds=row) for one, row in zip(many, seconds, strict=True)]
    path = tmp_path / "samples.parquet"
    with processor_time(3.0):
        write_samples(path, many)
    with processor_time(2.0):
        read = read_samples(path)
    assert all(np.array_equal(one.seconds, row) for one, row in zip(read, seconds, strict=True))


@pytest.mark.parametrize("keep", [0, 3, 1000, -4])
def test_a_truncated_file_is_one_line_with_a_hint(
    tmp_path: Path, series: tuple[Series, ...], keep: int
) -> None:
    path = tmp_path / "samples.parquet"
    write_samples(path, series)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(RunError, match="is damaged") as caught:
        read_samples(path)
    assert "\n" not in str(caught.value)
    assert caught.value.hint


def test_a_missing_file_and_a_foreign_one(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="is missing"):
        read_samples(tmp_path / "samples.parquet")
    foreign = tmp_path / "foreign.parquet"
    with duckdb.connect() as connection:
        connection.sql("SELECT 1 AS x").write_parquet(str(foreign))
    with pytest.raises(RunError, match="is damaged"):
        read_samples(foreign)


def test_a_full_disk_is_one_line_and_the_old_file_stays(
    tmp_path: Path, series: tuple[Series, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    full, open_ = Path("/dev/full"), os.open

    def fill(path: Path, flags: int, *more: int, **directory: int) -> int:
        new = flags & os.O_CREAT
        return open_(full, os.O_RDWR) if new else open_(path, flags, *more, **directory)

    if not full.exists():
        pytest.skip("there is no /dev/full here")
    path = tmp_path / "samples.parquet"
    write_samples(path, series[:1])
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", fill)
        with pytest.raises(SetupError, match="No space") as caught:
            write_samples(path, series)
    assert "\n" not in str(caught.value)
    assert caught.value.hint
    assert path.read_bytes() == before
    assert full.exists()
    assert [file.name for file in tmp_path.iterdir()] == ["samples.parquet"]
