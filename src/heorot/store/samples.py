"""All raw samples of a run in one Parquet file, one row per sample, written once."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import duckdb
import numpy as np
from pydantic import Field, TypeAdapter

from heorot.errors import RunError
from heorot.files import open_regular
from heorot.model.base import Count, NonNegative, PositiveInt, Record
from heorot.model.run.ranks import Own, Phase, Starts
from heorot.model.run.records import Disturbance, SecondClock, Traffic
from heorot.model.run.series import Series, Verified
from heorot.store.atomic import write_parquet
from heorot.store.keys import KEY_COLUMNS, NETWORK, read_key, stored_part
from heorot.suggestion import suggest

# Exceptions of reading a damaged file; RuntimeError stands for invalid UTF-8.
UNREADABLE = (OSError, duckdb.Error, ValueError, TypeError, RuntimeError)


# Columns with their types in the database; records within a series are JSON text.
_COLUMNS: dict[str, str] = {
    "step": "VARCHAR",
    "launch": "INTEGER",
    "attempt": "INTEGER",
    **KEY_COLUMNS,
    "counts": "VARCHAR",
    "repetitions": "BIGINT",
    "synchronisation": "VARCHAR",
    "stopped": "VARCHAR",
    "elapsed_seconds": "DOUBLE",
    "second_clock": "VARCHAR",
    "disturbance": "VARCHAR",
    "verified": "VARCHAR",
    "phases": "VARCHAR",
    "step_disturbance": "VARCHAR",
    "own": "VARCHAR",
    "starts": "VARCHAR",
    "foreign": "VARCHAR",
}
_PARTS: dict[str, TypeAdapter[Any]] = {
    "counts": TypeAdapter(dict[str, NonNegative]),
    "second_clock": TypeAdapter(SecondClock),
    "disturbance": TypeAdapter(Disturbance),
    "phases": TypeAdapter(tuple[Phase, ...]),
    "step_disturbance": TypeAdapter(Disturbance),
    "own": TypeAdapter(Own),
    "starts": TypeAdapter(Starts),
    "foreign": TypeAdapter(Traffic),
}
# Columns that every series has, and columns whose texts are the same in many series.
_ALWAYS = {"counts", "disturbance"}
_REPEATED = {"counts", "step_disturbance", "foreign"}


class _Facts(Record):
    """The columns that are neither JSON nor samples, with the bounds of valid values."""

    step: str
    launch: PositiveInt
    attempt: PositiveInt
    repetitions: Annotated[Count, Field(ge=1)]
    synchronisation: str
    stopped: str
    elapsed_seconds: NonNegative
    verified: Verified


# Rows written at a time. So few stay in a cache: writing a million rows takes a third less time,
# and the file is a tenth larger.
_GROUP = 20_480
# Columns that files of earlier versions lack.
_LATER = {"phases", "step_disturbance", "own", "starts", "foreign", NETWORK}
# Columns that `holds_samples` compares with the records.
_MEASURED = {"step", "region", "point", "counts", "repetitions", "verified"}


def write_samples(path: Path, series: Sequence[Series]) -> None:
    """Write all samples atomically.

    Args:
        series: all series; each has at least one sample.

    Raises:
        SetupError: the disk is full or the directory cannot be written.
    """
    lengths = np.array([len(one.seconds) for one in series], dtype=np.int64)
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    samples = {
        "series": np.repeat(np.arange(len(series), dtype=np.int32), lengths),
        "sample": (np.arange(lengths.sum()) - starts).astype(np.int32),
        "seconds": np.concatenate([np.empty(0), *(one.seconds for one in series)]),
    }
    columns = {name: [_stored(one, name) for one in series] for name in _COLUMNS}
    unnested = ", ".join(
        f'unnest(${name}::{kind}[]) AS "{name}"' for name, kind in _COLUMNS.items()
    )
    with duckdb.connect() as connection:
        # One thread keeps the order of the samples; the join takes little time.
        connection.execute("SET threads = 1")
        connection.register("samples", samples)
        connection.execute(
            f"CREATE TABLE facts AS SELECT unnest(range({len(series)}))::INTEGER AS series, "
            f"{unnested}",
            columns,
        )
        joined = "SELECT facts.*, sample, seconds FROM samples JOIN facts USING (series)"
        write_parquet(path, connection, joined, f", ROW_GROUP_SIZE {_GROUP}")


def read_samples(path: Path, networks: Collection[str] = ()) -> tuple[Series, ...]:
    """Read all samples.

    Args:
        networks: of the run, for files of earlier versions.

    Raises:
        RunError: it is missing, truncated or not what it should be.
    """
    try:
        with opened(path) as rows:
            columns = rows.select("series", "sample", "seconds").fetchnumpy()
            firsts = rows.filter("sample = 0").order("series")
            present = [name for name in _COLUMNS if name not in _LATER or name in rows.columns]
            facts = firsts.select(*present).fetchall()
        return _all_series(columns, present, facts, networks)
    except UNREADABLE as error:
        raise unreadable(path, error) from error


def holds_samples(path: Path, series: Sequence[Series]) -> bool:
    """Whether a file holds these samples, of the same bodies with the same verdicts.

    It is faster than reading the file, since equal texts need not be parsed. Columns from the plan
    and perturbations are not compared.

    Args:
        series: of the records, in the order in which they were written.

    Raises:
        RunError: it is missing, truncated or not what it should be.
    """
    names = [name for name in _COLUMNS if name in _MEASURED]
    try:
        with opened(path) as rows:
            columns = rows.select("series", "sample", "seconds").fetchnumpy()
            firsts = rows.filter("sample = 0").order("series")
            facts = firsts.select(*names).fetchall()
        columns = _in_order(columns)
    except UNREADABLE as error:
        raise unreadable(path, error) from error
    lengths = [len(one.seconds) for one in series]
    expected = {
        "series": np.repeat(np.arange(len(series)), lengths),
        "sample": np.concatenate([np.empty(0), *map(np.arange, lengths)]),
        "seconds": np.concatenate([np.empty(0), *(one.seconds for one in series)]),
    }
    return all(
        np.array_equal(columns[name], values) for name, values in expected.items()
    ) and facts == [tuple(_stored(one, name) for name in names) for one in series]


def _all_series(
    columns: dict[str, Any],
    names: Sequence[str],
    facts: Sequence[tuple[Any, ...]],
    networks: Collection[str],
) -> tuple[Series, ...]:
    columns = _in_order(columns)
    seconds = columns["seconds"].astype(np.float64, copy=False)
    if not np.all(np.isfinite(seconds) & (seconds > 0)):
        raise ValueError("a sample has no length")
    numbers = columns["sample"]
    starts = np.flatnonzero(numbers == 0)
    lengths = np.diff(starts, append=len(numbers))
    if len(starts) != len(facts) or not np.array_equal(
        numbers, np.arange(len(numbers)) - np.repeat(starts, lengths)
    ):
        raise ValueError("samples are missing or duplicate")
    return tuple(
        _series(dict(zip(names, row, strict=True)), seconds[start : start + length], networks)
        for row, start, length in zip(facts, starts, lengths, strict=True)
    )


def _in_order(columns: dict[str, Any]) -> dict[str, Any]:
    """Columns of samples by series and number: the rows of a file may be in any order."""
    if any(np.ma.is_masked(column) for column in columns.values()):
        raise ValueError("a sample has no number")
    order = np.lexsort((columns["sample"], columns["series"]))
    return {name: np.asarray(column)[order] for name, column in columns.items()}


@contextmanager
def opened(path: Path) -> Iterator[duckdb.DuckDBPyRelation]:
    """Open a Parquet file, whose name may contain characters that the database takes for a pattern.

    Raises:
        OSError: it is missing or may not be read.
        duckdb.Error: it is no Parquet file.
    """
    with open_regular(path) as file, duckdb.connect() as connection:
        yield connection.read_parquet(f"/proc/self/fd/{file.fileno()}")


def unreadable(path: Path, error: Exception) -> RunError:
    """The error to raise when a Parquet file cannot be read."""
    if not path.exists():
        return RunError(
            f"{path} is missing",
            f"the run was stopped before that: {suggest('evaluate', '--resume', path.parent)}",
        )
    return RunError(
        f"{path} is damaged: {str(error).splitlines()[0]}",
        "restore it from a copy; what the programs wrote is still in jobs/*/records",
    )


def _series(
    row: dict[str, Any],
    seconds: np.ndarray[Any, np.dtype[np.float64]],
    networks: Collection[str],
) -> Series:
    facts = {name: row[name] for name in _Facts.model_fields}
    facts = _Facts.model_validate(facts, strict=True).model_dump()
    key = read_key(row, networks)
    if min(key.setup.nodes, key.setup.ranks, key.setup.threads, key.setup.per_node) < 1:
        raise ValueError("a sample is of no rank")
    there = [name for name in _PARTS if name in _ALWAYS or row.get(name) is not None]
    parts = {name: _part(name, row[name]) for name in there}
    parts["counts"] = parts["counts"].copy()
    return Series(**facts, **parts, key=key, seconds=seconds)


def _part(name: str, text: str) -> Any:  # noqa: ANN401 -- a field of any type
    return _same_part(name, text) if name in _REPEATED else _PARTS[name].validate_json(text)


@lru_cache(maxsize=4096)
def _same_part(name: str, text: str) -> Any:  # noqa: ANN401 -- a field of any type
    """Parse JSON text; equal texts, which are frequent, are parsed once."""
    return _PARTS[name].validate_json(text)


def _stored(series: Series, name: str) -> Any:  # noqa: ANN401 -- a field of any type
    """The value of a series in one of its columns."""
    if name in KEY_COLUMNS:
        return stored_part(series.key, name)
    value = getattr(series, name)
    if name not in _PARTS:
        return value
    if name == "counts":  # compared as texts, also with files of earlier versions
        return json.dumps(value)
    is_there = value is not None and value != ()
    return _PARTS[name].dump_json(value).decode() if is_there else None
