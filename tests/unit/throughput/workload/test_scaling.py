"""Shipped schedules on machines that are smaller than the published ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.throughput.workload.arrivals import arrivals_of, check_fits
from heorot.throughput.workload.jobs_file import read_jobs
from heorot.throughput.workload.scaling import fit_to, is_shipped
from heorot.throughput.workload.schedule import read_schedule, shipped

_MACHINES = [(1, 1), (1, 2), (2, 1), (3, 1), (4, 1), (3, 2), (5, 3), (8, 1), (2, 64), (16, 2)]


@pytest.mark.parametrize(("n_nodes", "cores"), _MACHINES)
@pytest.mark.parametrize("name", sorted(shipped()))
def test_every_shipped_schedule_fits_every_machine(name: str, n_nodes: int, cores: int) -> None:
    file = shipped()[name]
    kinds = read_jobs(file.with_suffix(".yaml"), cores)
    fitted, reported = fit_to(kinds, n_nodes, cores)
    check_fits(fitted, arrivals_of(read_schedule(file), fitted), n_nodes, cores)
    for kind, before in ((fitted.jobs[each], kinds.jobs[each]) for each in kinds.jobs):
        published = {part.name: part for part in before.parts}
        for part in kind.parts:
            was = published[part.name]
            assert part.ranks is not None
            assert was.ranks is not None
            assert min(was.ranks, 2, n_nodes * cores) <= part.ranks <= was.ranks
            if was.ranks in {4, 8, 16}:
                assert part.ranks in {1, 2, 4, 8, 16}
            # Two of them measure communication.
            assert part.ranks > 1 or was.ranks == 1 or not str(part.program).startswith("messages/")
        assert len(kind.parts) == len(before.parts) or n_nodes * cores == 1
    assert bool(reported) == (fitted != kinds)


def test_what_fits_stays_as_published() -> None:
    kinds = read_jobs(shipped()["steen2000"].with_suffix(".yaml"), 2)
    assert fit_to(kinds, 8, 2) == (kinds, ())


def test_what_was_changed_is_reported() -> None:
    kinds = read_jobs(shipped()["steen2000"].with_suffix(".yaml"), 1)
    fitted, reported = fit_to(kinds, 4, 1)
    assert "adf 4 ranks on 4 instead of 16 ranks on 8" in reported
    assert (fitted.jobs["adf"].nodes, fitted.jobs["adf"].parts[0].per_node) == (4, 1)


def test_one_rank_passes_no_messages() -> None:
    kinds = read_jobs(shipped()["steen2000"].with_suffix(".yaml"), 1)
    fitted, reported = fit_to(kinds, 1, 1)
    assert [part.name for part in fitted.jobs["euroben"].parts] == ["mod1i-1"]
    (line,) = (line for line in reported if line.startswith("euroben"))
    assert line.startswith("euroben 1 rank on 1 without mod1h-4, mod1h-6, mod1h-8, mod1i-2, ")
    assert line.endswith("mod1j instead of 8 ranks on 4")
    alone = kinds.model_copy(update={"jobs": {"euroben": kinds.jobs["euroben"].model_copy(
        update={"parts": kinds.jobs["euroben"].parts[-1:]})}})  # fmt: skip
    assert fit_to(alone, 1, 1)[0].jobs["euroben"].parts[0].name == "mod1j"


def test_files_of_users_are_theirs(tmp_path: Path) -> None:
    assert is_shipped(shipped()["steen2000"].with_suffix(".yaml"))
    assert not is_shipped(tmp_path / "steen2000.yaml")
    assert not is_shipped(None)
