"""Shipped schedules on machines that are smaller than the published ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.workload.arrivals import arrivals_of, check_fits
from heorot.workload.jobs import read_jobs
from heorot.workload.scaling import fit_to, is_shipped
from heorot.workload.schedule import read_schedule, shipped

_MACHINES = [(1, 2), (2, 1), (3, 1), (4, 1), (3, 2), (5, 3), (8, 1), (2, 64), (16, 2)]


@pytest.mark.parametrize(("n_nodes", "cores"), _MACHINES)
@pytest.mark.parametrize("name", sorted(shipped()))
def test_every_shipped_schedule_fits_every_machine(name: str, n_nodes: int, cores: int) -> None:
    file = shipped()[name]
    kinds = read_jobs(file.with_suffix(".yaml"), cores)
    fitted, told = fit_to(kinds, n_nodes, cores)
    check_fits(fitted, arrivals_of(read_schedule(file), fitted), n_nodes, cores)
    for kind, before in ((fitted.jobs[each], kinds.jobs[each]) for each in kinds.jobs):
        for part, was in zip(kind.parts, before.parts, strict=True):
            assert part.ranks is not None
            assert was.ranks is not None
            assert min(was.ranks, 2) <= part.ranks <= was.ranks  # two of them pass messages
            if was.ranks in {4, 8, 16}:
                assert part.ranks in {2, 4, 8, 16}
    assert bool(told) == (fitted != kinds)


def test_what_fits_stays_as_published() -> None:
    kinds = read_jobs(shipped()["steen2000"].with_suffix(".yaml"), 2)
    assert fit_to(kinds, 8, 2) == (kinds, ())


def test_what_was_changed_is_told() -> None:
    kinds = read_jobs(shipped()["steen2000"].with_suffix(".yaml"), 1)
    fitted, told = fit_to(kinds, 4, 1)
    assert "adf 4 ranks on 4 instead of 16 ranks on 8" in told
    assert (fitted.jobs["adf"].nodes, fitted.jobs["adf"].parts[0].per_node) == (4, 1)


def test_files_of_users_are_theirs(tmp_path: Path) -> None:
    assert is_shipped(shipped()["steen2000"].with_suffix(".yaml"))
    assert not is_shipped(tmp_path / "steen2000.yaml")
    assert not is_shipped(None)
