"""Differences between stored values of a run and those recomputed from its records."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import get_args

from heorot.model.analysis.result import EXPORT_COLUMNS, Result
from heorot.model.run.identity import Key, Part, Setup
from heorot.model.run.series import Series

# Results are sums over samples; another processor may round them differently.
_TOLERANCE = 1e-9
_ZERO = 1e-300  # below, equal to zero
# Columns that files of earlier versions lack.
_LATER = frozenset({"phases", "step_disturbance", "own", "starts", "foreign"})
_SHOWN = 60


@dataclass(frozen=True)
class Difference:
    """A stored value that differs from the recomputed one.

    Attributes:
        place: file and row.
        case: of the value; None if it belongs to several.
    """

    place: str
    stored: str
    recomputed: str
    case: Setup | None = None

    def __str__(self) -> str:
        return f"{self.place}: stored {self.stored}, recomputed {self.recomputed}"


def series_differences(stored: Sequence[Series], found: Sequence[Series]) -> Iterator[Difference]:
    """Stored samples that differ from the records."""
    left = {_series_name(one): one for one in found}
    for number, one in enumerate(stored):
        name = _series_name(one)
        place = f"samples.parquet series {number} ({name})"
        other = left.pop(name, None)
        if other is None:
            yield Difference(place, f"{len(one.seconds)} samples", "none", one.setup)
        else:
            yield from _series_difference(place, one, other)
    for name, one in left.items():
        place = f"samples.parquet ({name})"
        yield Difference(place, "none", f"{len(one.seconds)} samples", one.setup)


def _series_name(series: Series) -> str:
    point = ",".join(f"{name}={value}" for name, value in sorted(series.point.items()))
    return f"{series.step} {series.benchmark}:{series.region}[{point}]"


def _series_difference(place: str, a: Series, b: Series) -> Iterator[Difference]:
    own = (field.name for field in fields(Series) if field.name not in {"key", "seconds"})
    parts = () if a.key == b.key else get_args(Part)
    for name in (*parts, *own):
        stored, value = getattr(a, name), getattr(b, name)
        absent = name in _LATER and not stored
        if stored != value and not absent:
            yield Difference(f"{place} {name}", _shown(stored), _shown(value), a.setup)
    if len(a.seconds) != len(b.seconds):
        n_a, n_b = (f"{len(one.seconds)} samples" for one in (a, b))
        yield Difference(place, n_a, n_b, a.setup)
        return
    for sample in (a.seconds != b.seconds).nonzero()[0]:
        stored, value = (repr(float(one.seconds[sample])) for one in (a, b))
        yield Difference(f"{place} sample {sample} seconds", stored, value, a.setup)


def result_differences(stored: Sequence[Result], found: Sequence[Result]) -> Iterator[Difference]:
    """Stored results that differ from those recomputed from the records."""
    left = dict(_numbered(found))
    for number, (key, one) in enumerate(_numbered(stored), start=1):
        place = f"results.parquet row {number} ({_result_name(one)})"
        other = left.pop(key, None)
        if other is None:
            yield Difference(f"{place} median", repr(one.median), "no such row")
            continue
        for name in EXPORT_COLUMNS:
            a, b = getattr(one, name), getattr(other, name)
            if not _alike(a, b):
                yield Difference(f"{place} {name}", _shown(a), _shown(b))
    for one in left.values():
        place = f"results.parquet ({_result_name(one)}) median"
        yield Difference(place, "no such row", repr(one.median))


def _numbered(results: Iterable[Result]) -> Iterator[tuple[tuple[Key, str, int], Result]]:
    """Results by key; repeated keys are numbered."""
    seen: Counter[tuple[Key, str]] = Counter()
    for one in results:
        of = (one.key, one.metric)
        seen[of] += 1
        yield (one.key, one.metric, seen[of]), one


def _result_name(one: Result) -> str:
    point = ",".join(f"{name}={value}" for name, value in one.point.items())
    return f"{one.benchmark}:{one.case}:{one.region}[{point}]:{one.metric}"


def document_differences(file: str, stored: object, found: object) -> Iterator[Difference]:
    """Values of a stored JSON document that differ from the recomputed one."""
    yield from _nodes(file, "", stored, found)


def _nodes(file: str, path: str, a: object, b: object) -> Iterator[Difference]:
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for key in dict.fromkeys((*a, *b)):
            yield from _nodes(file, f"{path}.{key}", a.get(key), b.get(key))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for number, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from _nodes(file, f"{path}[{number}]", x, y)
    elif not _alike(a, b):
        yield Difference(f"{file} {path.lstrip('.')}", _shown(a), _shown(b))


def _alike(a: object, b: object) -> bool:
    """Whether two values agree up to rounding."""
    if isinstance(a, float) and isinstance(b, float):
        both = math.isnan(a) and math.isnan(b)
        return both or math.isclose(a, b, rel_tol=_TOLERANCE, abs_tol=_ZERO)
    return a == b


def _shown(value: object) -> str:
    """A value on one line."""
    text = value if isinstance(value, str) else repr(value)
    if isinstance(value, (Mapping, list)):
        text = json.dumps(value, default=dict)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
