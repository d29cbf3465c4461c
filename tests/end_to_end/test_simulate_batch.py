"""Simulated batch systems from the command line to the page, with the native core."""

from __future__ import annotations

import heapq
import json
import resource
from pathlib import Path

import numpy as np
import pytest

from heorot.throughput.workload.swf import read_swf
from tests.end_to_end.running import heorot
from tests.unit.throughput.tables import table_of
from tests.yardstick import speed_factor

N_NODES = 64


def waits_in_order(jobs: np.ndarray) -> list[float]:
    """FCFS as a loop over jobs: each takes the nodes that are free first."""
    free_at = [0.0] * N_NODES
    waits, now = [], 0.0
    for job in jobs:
        taken = [heapq.heappop(free_at) for _ in range(job["processors"])]
        now = max(now, job["submit"], *taken)
        waits.append(now - job["submit"])
        for _ in taken:
            heapq.heappush(free_at, now + job["run"])
    return waits


@pytest.mark.slow
def test_a_model_is_simulated_kept_and_simulated_again(tmp_path: Path) -> None:
    kept, out = tmp_path / "kept.swf", tmp_path / "out"
    model: list[str | Path] = ["lublin:3000:0.8", "--nodes", str(N_NODES), "--write-swf", kept]
    first = heorot("simulate-batch", *model, "--out", out, "--policy", "fcfs,easy,conservative,sjf")
    assert first.code == 0, first.err
    numbers = {
        each["policy"]: each
        for each in json.loads((out / "simulations.json").read_text())["simulations"]
    }
    jobs = table_of(read_swf(kept).workload.jobs)
    assert numbers["fcfs"]["wait_mean_seconds"] == pytest.approx(np.mean(waits_in_order(jobs)))
    assert numbers["fcfs"]["overtaking_share"] == 0.0
    means = [numbers[name]["wait_mean_seconds"] for name in ("easy", "conservative")]
    assert max(means) < 0.5 * numbers["fcfs"]["wait_mean_seconds"]
    again = heorot("simulate-batch", kept, "--policy", "fcfs,easy,conservative,sjf", "--quiet")
    assert again.code == 0, again.err
    assert again.out == first.out
    assert again.err == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["--allocation", "packed", "--cores", "4"],
        ["--allocation", "contiguous", "--estimates", "uniform:4"],
        ["--allocation", "ports", "--cores", "4", "--reserve", "16:1d-2d"],
        ["--kill-at-limit", "--estimates", "limit"],
    ],
)
def test_every_kind_of_machine(words: list[str]) -> None:
    policies = "easy,conservative,fairshare+easy,priority,largest+conservative,ljf+firstfit"
    done = heorot(
        "simulate-batch", "daily:300:0.8", "--nodes", "32", "--policy", policies, "-q", *words
    )
    assert done.code == 0, done.err
    assert [line.split()[1] for line in done.out.splitlines()[1:7]] == ["300"] * 6


@pytest.mark.slow
def test_what_cannot_be_simulated_is_one_line() -> None:
    done = heorot("simulate-batch", "esp", "--nodes", "8", "--reserve", "9:1h-2h", "-q")
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines() == [
        "heorot: it cannot be simulated: reservations take more nodes than there are",
        "hint: give smaller reservations",
    ]


@pytest.mark.slow
@pytest.mark.timed
def test_a_hundred_thousand_jobs_that_all_wait(tmp_path: Path) -> None:
    trace = tmp_path / "trace.swf"
    drawn = np.random.default_rng(0)
    columns = zip(
        np.exp(drawn.uniform(3.0, 10.0, 100_000)), drawn.geometric(0.2, 100_000), strict=True
    )
    trace.write_text(
        "".join(
            f"{i + 1} 0 -1 {run:.0f} {min(n, 64)} -1 -1 {min(n, 64)} -1 1 1 1 1 1 1 -1 -1 -1\n"
            for i, (run, n) in enumerate(columns)
        )
    )
    words = ["--nodes", str(N_NODES), "--estimates", "uniform:5", "--policy", "conservative"]
    heorot("simulate-batch", "lublin:10", "--nodes", "4")  # builds the core
    begin = processor_seconds()
    shown = heorot("simulate-batch", trace, *words, "--quiet")
    assert shown.code == 0, shown.err
    assert shown.out.splitlines()[1].split()[:2] == ["conservative", "100000"]
    assert processor_seconds() - begin < 15.0 * speed_factor()


def processor_seconds() -> float:
    """Of all children that have ended [s]."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
