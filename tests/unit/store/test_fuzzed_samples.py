"""Damaged samples: series of finite numbers, or one line with a hint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heorot.errors import RunError
from heorot.store.samples import read_samples, write_samples
from tests.unit.damage import NASTY_JSON, assert_one_line, damaged_bytes
from tests.unit.store.conftest import make_series

COLUMNS = ("options", "point", "counts", "second_clock", "disturbance", "phases")
# The database is opened anew each time.
FEW = settings(max_examples=settings().max_examples // 2)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of a few series."""
    path = tmp_path_factory.mktemp("samples") / "samples.parquet"
    write_samples(path, [make_series(number, n_samples=3) for number in range(4)])
    return path


@pytest.fixture(scope="module")
def rows(samples: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The table `original` of these samples: opening a database is the slow part."""
    with duckdb.connect() as connection:
        connection.read_parquet(str(samples)).to_table("original")
        yield connection


def _assert_read_or_refused(path: Path, damage: Callable[[Path], object]) -> None:
    damaged = path.with_name("damaged.parquet")
    damage(damaged)
    try:
        read = read_samples(damaged)
    except RunError as error:
        assert_one_line(error)
        return
    for series in read:
        assert np.all((series.seconds > 0) & np.isfinite(series.seconds))
        assert all(n >= 0 for n in series.counts.values())


@pytest.mark.slow
@FEW
@given(st.data())
def test_wrong_bytes(samples: Path, data: st.DataObject) -> None:
    content = data.draw(damaged_bytes(samples.read_bytes()))
    _assert_read_or_refused(samples, lambda path: path.write_bytes(content))


def test_names_that_are_no_text(samples: Path) -> None:
    content = samples.read_bytes().replace(b"benchmark", b"benchm\xffrk")
    damaged = samples.with_name("no_text.parquet")
    damaged.write_bytes(content)
    with pytest.raises(RunError, match=r"no_text.parquet is damaged") as caught:
        read_samples(damaged)
    assert_one_line(caught.value)


@pytest.mark.slow
@FEW
@given(st.sampled_from(COLUMNS), st.sampled_from(NASTY_JSON) | st.none())
def test_wrong_texts(
    samples: Path, rows: duckdb.DuckDBPyConnection, column: str, text: str | None
) -> None:
    _replace(samples, rows, column, text)


@pytest.mark.parametrize("value", [None, float("nan"), float("inf"), 0.0, -1.0])
def test_wrong_lengths(samples: Path, rows: duckdb.DuckDBPyConnection, value: float | None) -> None:
    _replace(samples, rows, "seconds", value)


def _replace(samples: Path, rows: duckdb.DuckDBPyConnection, column: str, value: object) -> None:
    """Give a column one value throughout."""
    original = rows.table("original")
    kind = original.types[original.columns.index(column)]

    def damage(path: Path) -> None:
        changed = f"SELECT * REPLACE (?::{kind} AS {column}) FROM original"  # noqa: S608
        rows.execute(f"CREATE OR REPLACE TABLE damaged AS {changed}", [value])
        rows.table("damaged").write_parquet(str(path))

    _assert_read_or_refused(samples, damage)
