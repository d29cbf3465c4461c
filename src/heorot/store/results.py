"""The results of a run: one row per metric, as a Parquet file and as exports for other tools."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import duckdb

from heorot.model.analysis.result import EXPORT_COLUMNS, Result
from heorot.ownership.scratch import scratch_folder
from heorot.store.atomic import write_parquet
from heorot.store.keys import KEY_COLUMNS, NETWORK, read_key, stored_part
from heorot.store.samples import UNREADABLE, opened, unreadable

ExportFormat = Literal["csv", "json", "parquet"]

_INTEGERS = {"n", "n_launches"}
_REALS = {"median", "ci_low", "ci_high", "q10", "q90", "min", "max", "share_of_ceiling"}
_TRUTHS = {"plausible", "disturbed", "derived"}


def write_results(path: Path, results: Sequence[Result]) -> None:
    """Write all rows atomically.

    Raises:
        SetupError: the disk is full or the directory cannot be written.
    """
    _write_parquet(path, results)


def read_results(path: Path, networks: Collection[str] = ()) -> tuple[Result, ...]:
    """Read all rows.

    Args:
        networks: of the run, for files of earlier versions.

    Raises:
        RunError: it is missing, truncated or not what it should be.
    """
    with _reading(path) as relation:
        return _rows(relation, networks)


@dataclass(frozen=True)
class Judgement:
    """The verdict of the stored results on the samples of a run.

    Attributes:
        refused: measured rows that are invalid: their checks failed, or they are impossible.
        n_spoilt: number of invalid rows with perturbed samples.
    """

    refused: tuple[Result, ...]
    n_measured: int
    n_spoilt: int


def read_judgement(path: Path) -> Judgement:
    """Read the verdict on the samples without reading all rows.

    Raises:
        RunError: it is missing, truncated or not what it should be.
    """
    with _reading(path) as relation:
        measured = relation.filter("not derived")
        doubtful = measured.filter("verified <> 'passed' or plausible is false")
        counts = measured.aggregate("count(*), count(*) filter (disturbed)").fetchall()
        ((n_measured, n_spoilt),) = counts
        return Judgement(_rows(doubtful), n_measured, n_spoilt)


def read_metric(path: Path, metric: str, networks: Collection[str] = ()) -> tuple[Result, ...]:
    """Read the rows of one metric.

    Args:
        networks: as of `read_results`.

    Raises:
        RunError: it is missing, truncated or not what it should be.
    """
    with _reading(path) as relation:
        return _rows(relation.filter(f"metric = {_quoted(metric)}"), networks)


def read_quantities(
    path: Path, quantities: Collection[tuple[str, str, str]], networks: Collection[str] = ()
) -> tuple[Result, ...]:
    """Read the rows of some quantities.

    Args:
        quantities: program, region and metric of each.
        networks: as of `read_results`.

    Raises:
        RunError: it is missing, truncated or not what it should be.
    """
    listed = ", ".join(f"({', '.join(map(_quoted, each))})" for each in sorted(quantities))
    if not listed:
        return ()
    with _reading(path) as relation:
        return _rows(relation.filter(f"(benchmark, region, metric) in ({listed})"), networks)


def _quoted(text: str) -> str:
    """A text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


@contextmanager
def _reading(path: Path) -> Iterator[duckdb.DuckDBPyRelation]:
    """Open a table; any fault of it is one kind of error."""
    try:
        with opened(path) as relation:
            yield relation
    except UNREADABLE as error:
        raise unreadable(path, error) from error


def _rows(relation: duckdb.DuckDBPyRelation, networks: Collection[str] = ()) -> tuple[Result, ...]:
    names = [name for name in EXPORT_COLUMNS if name != NETWORK or name in relation.columns]
    rows = relation.select(*names).fetchall()
    return tuple(_result(dict(zip(names, row, strict=True)), networks) for row in rows)


def export(results: Sequence[Result], form: ExportFormat) -> bytes:
    """All rows and columns of results.parquet in a form for other tools.

    Args:
        form: `csv` has a header line and full precision, `json` is a list of objects; `csv` and
            `parquet` have the point and the options as JSON text.
    """
    if form == "csv":
        return _csv(results)
    if form == "json":
        return _json(results)
    with scratch_folder() as directory:
        path = directory / "results.parquet"
        _write_parquet(path, results)
        return path.read_bytes()


def _write_parquet(path: Path, results: Sequence[Result]) -> None:
    names = EXPORT_COLUMNS
    columns = {name: [_stored(result, name) for result in results] for name in names}
    unnested = ", ".join(f'unnest(${name}::{_kind(name)}[]) AS "{name}"' for name in names)
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")  # keeps the order of the rows
        connection.execute(f"CREATE TABLE results AS SELECT {unnested}", columns)
        write_parquet(path, connection, "SELECT * FROM results")


def _kind(name: str) -> str:
    """The type of a column in the database."""
    if name in KEY_COLUMNS:
        return KEY_COLUMNS[name]
    for kind, names in (("BIGINT", _INTEGERS), ("DOUBLE", _REALS), ("BOOLEAN", _TRUTHS)):
        if name in names:
            return kind
    return "VARCHAR"


def _stored(result: Result, name: str) -> Any:  # noqa: ANN401 -- a field of any type
    return stored_part(result.key, name) if name in KEY_COLUMNS else getattr(result, name)


def _result(row: Mapping[str, Any], networks: Collection[str]) -> Result:
    fields = {name: value for name, value in row.items() if name not in KEY_COLUMNS}
    return Result(key=read_key(row, networks), **fields)


def _csv(results: Sequence[Result]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(EXPORT_COLUMNS)
    for result in results:
        writer.writerow([_cell(_stored(result, name)) for name in EXPORT_COLUMNS])
    return text.getvalue().encode()


def _cell(value: Any) -> str:  # noqa: ANN401 -- a field of any type
    """A value as text: full precision, `true` or `false`, empty for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _json(results: Sequence[Result]) -> bytes:
    lines = [
        json.dumps({name: _finite(getattr(result, name)) for name in EXPORT_COLUMNS})
        for result in results
    ]
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode()


def _finite(value: Any) -> Any:  # noqa: ANN401 -- a field of any type
    """A value that JSON can hold: infinite and undefined numbers become null."""
    if isinstance(value, Mapping):
        return dict(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value
