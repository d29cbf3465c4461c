"""Constants that programs try at set-up: what a program chooses is near the best of a sweep."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from heorot import process
from heorot.model.run.records import Line, RegionLine
from tests import builds

pytestmark = [pytest.mark.nightly, pytest.mark.slow, pytest.mark.timeout(900)]

_LINE: TypeAdapter[Line] = TypeAdapter(Line)
_WITHIN = 1.10
_BLOCKS = ("128k", "384k", "1M", "4M", "16M")


@pytest.mark.parametrize("region", ["blocked", "steps_together"])
@pytest.mark.parametrize("extent", [100, 250])
def test_blocks_of_a_stencil_are_near_the_best(tmp_path: Path, region: str, extent: int) -> None:
    """Sizes and the program's own choice take turns: launches are bimodal on some machines."""
    grid = [word for axis in ("nx", "ny", "nz") for word in (f"--{axis}", str(extent))]
    words = [*grid, "--regions", region, "--stencils", "7"]
    ways = [("--block-bytes", size) for size in ("0", *_BLOCKS)]
    _expect_first_near_best("algorithms/stencil", words, ways, tmp_path / "record")


@pytest.mark.parametrize("rows", [250, 1000])
def test_blocks_of_a_matrix_product_are_near_the_best(tmp_path: Path, rows: int) -> None:
    """The program's own choice, and blocks for caches from 128 KiB to 2 MiB."""
    words = ["--regions", "blocked", "--n", str(rows)]
    ways = [
        ("--block-rows", height, "--block-depth", depth)
        for height, depth in [(0, 0), *itertools.product((72, 192, 504), (128, 256, 512))]
    ]
    _expect_first_near_best("algorithms/matrix_multiply", words, ways, tmp_path / "record")


def _expect_first_near_best(
    name: str, words: Sequence[str], ways: Sequence[tuple[object, ...]], record: Path
) -> None:
    """Compare the shortest times of a program; the ways take turns."""
    path = builds.release([name]).paths[name]
    times: dict[tuple[object, ...], list[float]] = {}
    for _ in range(7):
        for way in ways:
            chosen = [*words, *(str(word) for word in way)]
            times.setdefault(way, []).append(_best_seconds(path, record, chosen))
    best = {way: min(each) for way, each in times.items()}
    assert best[ways[0]] <= _WITHIN * min(best.values()), best


def _best_seconds(path: Path, record: Path, words: Sequence[str]) -> float:
    """The shortest time of a repetition of the only region [s]."""
    process.run([path, *words, "--budget", "0.2", "--record", record])
    lines = [_LINE.validate_json(line) for line in record.read_text(encoding="utf-8").splitlines()]
    (one,) = (line for line in lines if isinstance(line, RegionLine))
    return min(one.seconds) / one.repetitions
