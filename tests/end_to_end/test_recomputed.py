"""Numbers of a page follow from samples.parquet, by code that is independent of the product."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import duckdb
import pytest

from tests.end_to_end.running import heorot
from tests.end_to_end.synthetic_run import write_run
from tests.unit.analyse.synthesis import Synthesis

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

# Such as `15.3 GB/s [15.1, 15.5; 5 launches]`, with tags of HTML before the bracket; in tables the
# launches have a column.
_QUOTE = re.compile(
    r"(-?\d[\d.]*)\s?([kMGTµnm]?)(B/s|flop/s|op/s|s)\b(?:</[a-z]+>\s*<[^>]*>)?\s*"
    r"\[([\d.]+)(?:…|, )([\d.]+)(?:(?:;| in) (\d+) launches)?\]"
)
_SCALES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "m": 1e-3, "µ": 1e-6, "n": 1e-9}
_QUERY = """
    SELECT benchmark, "case", region, point, launch, repetitions, counts, list(seconds)
    FROM read_parquet($1) WHERE attempt = 1 GROUP BY ALL
"""


def _launches(samples: Path) -> Iterator[list[tuple[float, dict[str, float], list[float]]]]:
    """Repetitions, counts and seconds of the launches of each region at each point."""
    found = defaultdict(list)
    with duckdb.connect() as connection:
        rows = connection.execute(_QUERY, [str(samples)]).fetchall()
    for benchmark, case, region, point, launch, repetitions, counts, seconds in rows:
        key = (benchmark, case, region, point)
        found[key].append((launch, (repetitions, json.loads(counts), seconds)))
    for launches in found.values():
        yield [one for _, one in sorted(launches, key=lambda pair: pair[0])]


def _recomputed(samples: Path) -> list[tuple[float, float, float, int]]:
    """Centre, both ends and launches of the time and of every rate."""
    numbers = []
    for launches in _launches(samples):
        for count in (None, *launches[0][1]):
            medians = sorted(
                median(
                    one / repetitions if count is None else counts[count] * repetitions / one
                    for one in seconds
                )
                for repetitions, counts, seconds in launches
            )
            # Five launches: their range, and 4 % of it further out; fewer: their range.
            out = 0.04 * (medians[-1] - medians[0]) if len(medians) == 5 else 0.0
            low = medians[0] ** 2 / (medians[0] + out) if medians[0] else 0.0
            numbers.append((median(medians), low, medians[-1] + out, len(medians)))
    return numbers


def _agrees(printed: str, value: float) -> bool:
    decimals = len(printed.partition(".")[2])
    return abs(value - float(printed)) <= 0.501 * 10.0**-decimals


@pytest.mark.parametrize("n_launches", [3, 5])
def test_fifty_numbers_of_a_page(tmp_path: Path, n_launches: int) -> None:
    run = write_run(tmp_path / "run", Synthesis(n_launches=n_launches))
    done = heorot("report", run.path)
    assert done.code == 0, done.err
    numbers = _recomputed(run.samples_file)
    page = run.report_file.read_text()
    quotes = set(_QUOTE.findall(page))
    agreeing = [
        quote
        for quote in quotes
        for value, prefix, _, low, high, launches in [quote]
        if any(
            all(
                _agrees(text, number / _SCALES[prefix])
                for text, number in zip((value, low, high), row, strict=False)
            )
            and launches in {"", str(row[3])}
            for row in numbers
        )
    ]
    # The others follow from several results, such as fits.
    assert len(agreeing) >= 50, sorted(quotes)
