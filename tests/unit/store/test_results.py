"""results.parquet and the exports: exact columns, full precision."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import duckdb
import pytest

from heorot.errors import RunError
from heorot.model.analysis.result import EXPORT_COLUMNS, Result
from heorot.store.results import export, read_metric, read_results, write_results


def test_rows_come_back(tmp_path: Path, results: tuple[Result, ...]) -> None:
    path = tmp_path / "results.parquet"
    write_results(path, results)
    assert read_results(path) == results
    write_results(path, ())
    assert read_results(path) == ()


def test_undefined_and_infinite_numbers_come_back(
    tmp_path: Path, results: tuple[Result, ...]
) -> None:
    update = {"median": float("nan"), "ci_high": float("inf")}
    path = tmp_path / "results.parquet"
    write_results(path, [results[0].model_copy(update=update)])
    (row,) = read_results(path)
    assert row.median != row.median  # not a number
    assert row.ci_high == float("inf")
    (exported,) = json.loads(export([row], "json"))
    assert exported["median"] is None


def test_a_truncated_file_is_an_error_with_a_hint(
    tmp_path: Path, results: tuple[Result, ...]
) -> None:
    path = tmp_path / "results.parquet"
    write_results(path, results)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(RunError, match="is damaged"):
        read_results(path)
    with pytest.raises(RunError, match="is missing"):
        read_results(tmp_path / "nothing.parquet")


def test_csv(results: tuple[Result, ...]) -> None:
    rows = list(csv.reader(io.StringIO(export(results, "csv").decode())))
    assert rows[0] == list(EXPORT_COLUMNS)
    first, second, third = (dict(zip(rows[0], row, strict=True)) for row in rows[1:4])
    assert first["median"] == "0.30000000000000004"
    assert float(first["ci_high"]) == 1.7976931348623157e308
    assert json.loads(first["point"]) == {"n": 0, "stride": 3}
    assert json.loads(first["options"]) == {"n": 8, "quick": True}
    assert first["region"] == 'tri,ad "x"'
    assert [row["verified"] for row in (first, second, third)] == ["passed", "failed", "unchecked"]
    assert [row["plausible"] for row in (first, second, third)] == ["true", "false", ""]
    assert [row["disturbed"] for row in (first, second)] == ["false", "true"]
    assert [row["share_of_ceiling"] for row in (first, second)] == ["0.95", ""]


def test_json(results: tuple[Result, ...]) -> None:
    rows = json.loads(export(results, "json"))
    assert len(rows) == len(results)
    assert list(rows[0]) == list(EXPORT_COLUMNS)
    assert rows[1]["point"] == {"n": 1, "stride": 3}
    assert rows[2]["plausible"] is None
    assert json.loads(export((), "json")) == []


def test_parquet(tmp_path: Path, results: tuple[Result, ...]) -> None:
    path = tmp_path / "export.parquet"
    path.write_bytes(export(results, "parquet"))
    with duckdb.connect() as connection:
        relation = connection.read_parquet(str(path))
        assert relation.columns == list(EXPORT_COLUMNS)
        assert relation.select("median").fetchall() == [(0.1 + 0.2,)] * len(results)


def test_the_rows_of_one_metric_are_read_alone(tmp_path: Path, results: tuple[Result, ...]) -> None:
    path = tmp_path / "results.parquet"
    write_results(path, results)
    metric = results[0].metric
    found = read_metric(path, metric)
    assert found == tuple(row for row in results if row.metric == metric)
    assert read_metric(path, "nobody's") == ()
