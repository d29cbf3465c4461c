"""Constants that programs try at set-up: what a program chooses is near the best of a sweep."""

from __future__ import annotations

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
    path = builds.release(["algorithms/stencil"]).paths["algorithms/stencil"]
    times: dict[str, list[float]] = {}
    for _ in range(7):
        for size in ("0", *_BLOCKS):
            seconds = _best_seconds(path, tmp_path / "record", region, extent, size)
            times.setdefault(size, []).append(seconds)
    best = {size: min(each) for size, each in times.items()}
    assert best["0"] <= _WITHIN * min(best.values()), best


def _best_seconds(path: Path, record: Path, region: str, extent: int, block_bytes: str) -> float:
    """The shortest time of a sweep of the 7-point stencil [s]."""
    grid = [word for axis in ("nx", "ny", "nz") for word in (f"--{axis}", str(extent))]
    chosen = ["--regions", region, "--stencils", "7", "--block-bytes", block_bytes]
    process.run([path, *grid, *chosen, "--budget", "0.2", "--record", record])
    lines = [_LINE.validate_json(line) for line in record.read_text(encoding="utf-8").splitlines()]
    (one,) = (line for line in lines if isinstance(line, RegionLine))
    return min(one.seconds) / one.repetitions
