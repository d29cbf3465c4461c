"""Workloads of simulations: files, and models with seeds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from heorot.errors import UsageError, WorkloadError
from heorot.throughput.simulations.sources import find_source, machine_of, workload_of
from tests.unit.throughput.tables import table_of


def test_a_file_is_read_and_what_is_wrong_is_reported(trace: Path) -> None:
    source = find_source(str(trace))
    assert not source.is_model
    assert len(source.complaints) == 1
    assert source.complaints[0].startswith(f"{trace}:4: ")
    assert workload_of(source, 4, 2, 5) is source.workload
    assert machine_of(source, None, None) == (4, 2)
    assert machine_of(source, 9, None) == (9, 2)
    assert machine_of(source, None, 1) == (4, 1)


def test_processors_stand_for_unknown_nodes(trace: Path) -> None:
    trace.write_text(trace.read_text().replace("; MaxNodes: 4\n", ""))
    source = find_source(str(trace))
    assert machine_of(source, None, 4) == (2, 4)
    trace.write_text(trace.read_text().replace("; MaxProcs: 8\n", "; MaxProcs: some\n"))
    with pytest.raises(UsageError, match="is not known"):
        machine_of(find_source(str(trace)), None, None)


def test_nodes_that_are_not_all_alike_lose_no_processors(trace: Path) -> None:
    trace.write_text(trace.read_text().replace("; MaxProcs: 8\n", "; MaxProcs: 11\n"))
    source = find_source(str(trace))
    assert machine_of(source, None, None) == (11, 1)
    assert machine_of(source, None, 3) == (4, 3)


@pytest.mark.parametrize("text", ["esp", "lublin:50", "poisson:50:0.5", "daily:50", "lublin:50:2"])
def test_models_make_jobs_of_whole_nodes(text: str) -> None:
    source = find_source(text)
    assert source.is_model
    one, again, other = (workload_of(source, 16, 4, seed) for seed in (1, 1, 2))
    assert np.array_equal(table_of(one.jobs), table_of(again.jobs))
    assert not np.array_equal(table_of(one.jobs), table_of(other.jobs))
    assert np.array_equal(one.jobs["processors"], 4 * one.nodes)
    assert one.nodes.max() <= 16
    assert one.header["MaxProcs"] == "64"
    assert np.all(np.diff(one.jobs["submit"]) >= 0)
    with pytest.raises(UsageError, match="is not known"):
        machine_of(source, None, None)
    assert machine_of(source, 8, None) == (8, 1)


def test_the_load_is_what_was_asked_for() -> None:
    for text in ("poisson:4000:0.5", "daily:4000:0.5", "lublin:4000:0.5"):
        jobs = workload_of(find_source(text), 64, 1, 3).jobs
        area = float(np.sum(jobs["run"] * jobs["processors"]))
        load = area / 64 / (jobs["submit"][-1] - jobs["submit"][0])
        assert 0.4 < load < 0.6, text


@pytest.mark.parametrize("text", ["lublin", "lublin:x", "esp:3", "absent.swf", "poisson:9:-1"])
def test_what_is_neither_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="there is no workload"):
        find_source(text)


@pytest.mark.parametrize("text", ["lublin:9:0", "poisson:9:0", "daily:9:0.0"])
def test_a_load_of_nothing_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"the load 0\.0 cannot be"):
        workload_of(find_source(text), 4, 1, 1)


def test_a_file_without_a_workload_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    with pytest.raises(WorkloadError):
        find_source(str(tmp_path / "empty"))


def test_a_file_goes_before_a_model_of_that_name(
    trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(trace.parent)
    trace.rename(trace.parent / "esp")
    assert not find_source("esp").is_model
