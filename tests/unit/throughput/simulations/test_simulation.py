"""Simulations from a workload to numbers and pages, and comparisons with real tests."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from heorot.build.programs import Built
from heorot.errors import BuildError, SetupError, UsageError
from heorot.session import inspection
from heorot.session.external_programs import launches
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.simulate.setting import Estimates, Setting, parse_policy
from heorot.throughput.simulations import simulation
from heorot.throughput.simulations.numbers import quantities, rows_of
from heorot.throughput.simulations.sources import find_source

SETTING = Setting(parse_policy("fcfs"), 4, 2)
SECOND = Setting(parse_policy("sjf"), 4, 2)


@pytest.mark.usefixtures("core")
def test_every_setting_with_every_seed() -> None:
    reported: list[str] = []
    source = find_source("lublin:20")
    done = list(simulation.simulate_all(source, [SETTING, SECOND], range(3), reported.append))
    assert [(each.setting.policy.name, each.seed) for each in done] == [
        (name, seed) for seed in range(3) for name in ("fcfs", "sjf")
    ]
    assert reported[0] == "simulating 20 jobs under fcfs, seed 0"
    rows = rows_of(done)
    assert [row.policy.name for row in rows] == ["fcfs", "sjf"]
    values = rows[0].values["makespan_seconds"]
    assert rows[0].median("makespan_seconds") == sorted(values)[1]
    interval = rows[0].interval("makespan_seconds")
    assert interval is not None
    assert (interval.low, interval.high) == (min(values), max(values))


@pytest.mark.usefixtures("core")
def test_numbers_of_jobs_that_never_ran(trace: Path) -> None:
    source = find_source(str(trace))
    (done,) = simulation.simulate_all(source, [replace(SETTING, n_nodes=1)], [0])
    numbers = quantities(done.measures)
    assert numbers["started"] == 1.0
    (done,) = simulation.simulate_all(source, [replace(SETTING, n_nodes=1, cores_per_node=1)], [0])
    numbers = quantities(done.measures)
    assert numbers["started"] == 0.0
    assert np.isnan(numbers["wait_mean_seconds"])
    row = rows_of([done])[0]
    assert np.isnan(row.median("wait_mean_seconds"))
    assert row.interval("wait_mean_seconds") is None


@pytest.mark.usefixtures("core")
def test_seeds_without_consequence_are_refused(trace: Path) -> None:
    source = find_source(str(trace))
    with pytest.raises(UsageError, match="every seed gives the same jobs"):
        list(simulation.simulate_all(source, [SETTING], range(2)))
    drawn = replace(SETTING, estimates=Estimates("uniform", 3.0))
    assert len(list(simulation.simulate_all(source, [drawn], range(2)))) == 2


@pytest.mark.usefixtures("core")
def test_a_page_and_all_numbers_are_kept(tmp_path: Path, trace: Path) -> None:
    bounded = Setting(parse_policy("conservative"), 4, 2, most_reservations=7)
    done = list(simulation.simulate_all(find_source(str(trace)), [SETTING, SECOND, bounded], [0]))
    page = simulation.keep(done, tmp_path / "a" / "b", title="Jobs", command=["heorot"])
    assert "<title>" in page.read_text()
    assert "at most 7 at a time have reservations" in page.read_text()
    kept = json.loads((tmp_path / "a" / "b" / "simulations.json").read_text())
    assert [each["policy"] for each in kept["simulations"]] == ["fcfs", "sjf", "conservative"]
    assert [each["most_reservations"] for each in kept["simulations"]] == [None, None, 7]
    assert kept["simulations"][0]["started"] == 3.0
    assert "whole nodes" in kept["simulations"][0]["definition"]
    with pytest.raises(SetupError):
        simulation.keep(done, trace, title="Jobs", command=["heorot"])


def a_day(**columns: object) -> Timeline:
    seconds = np.array([0.0, 1.0, 2.0])
    test = Timeline(
        kinds=np.zeros(3, dtype=np.int64),
        kind_names=("flow",),
        submit=seconds,
        eligible=seconds,
        start=seconds,
        end=seconds + 10.0,
        nodes=np.array([1, 1, 2]),
        cores=np.array([2, 2, 4]),
        limit=np.full(3, 60.0),
        states=np.zeros(3, dtype=np.int64),
        state_names=("ok",),
        n_nodes=4,
        cores_per_node=2,
    )
    return replace(test, **columns)  # type: ignore[arg-type]


def allocations_of(test: Timeline, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Settings of the simulations of a test's jobs, by policy."""
    seen: dict[str, Setting] = {}

    def simulate(_: object, setting: Setting, __: Path, most_seconds: float) -> Timeline:
        assert most_seconds > 1.0
        seen[setting.policy.name] = setting
        return test

    monkeypatch.setattr(simulation, "simulate", simulate)
    simulated = simulation.simulate_policies(test)
    assert set(simulated) == set(seen)
    assert all(each.estimates.kind == "limit" for each in seen.values())
    return {name: each.allocation for name, each in seen.items()}


@pytest.mark.usefixtures("core")
def test_a_throughput_test_is_simulated_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = dict.fromkeys(simulation.COMPARED_POLICIES, "exclusive")
    packed = dict.fromkeys(simulation.COMPARED_POLICIES, "packed")
    assert allocations_of(a_day(), monkeypatch) == whole
    assert allocations_of(a_day(cores=np.array([1, 2, 4])), monkeypatch) == packed
    # The nodes of jobs are more informative: cores of exclusive nodes may stay idle.
    offsets = np.array([0, 1, 2, 4])
    apart = a_day(cores=np.array([1, 2, 4]), places=np.array([0, 1, 2, 3]), offsets=offsets)
    assert allocations_of(apart, monkeypatch) == whole
    together = a_day(places=np.array([0, 1, 1, 3]), offsets=offsets)
    assert allocations_of(together, monkeypatch) == packed
    # By the records the second begins on the node of the first, for a moment; the third after both.
    places, brief = np.array([0, 0, 0, 1]), np.array([10.0, 2.9, 12.0])
    start = np.array([0.0, 9.1, 11.5])
    after = a_day(start=start, end=np.array([10.0, 11.8, 20.0]), places=places, offsets=offsets)
    assert allocations_of(replace(after, cores=np.array([1, 2, 4])), monkeypatch) == whole
    # The second is over soon, the third begins while the first runs.
    within = a_day(start=np.array([0.0, 2.0, 5.0]), end=brief, places=places, offsets=offsets)
    assert allocations_of(within, monkeypatch) == packed
    never = np.full(3, np.nan)
    assert not simulation._shares_nodes(a_day(start=never, places=places, offsets=offsets))


def test_what_takes_too_long_is_left_out(core: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core.write_text("#!/bin/sh\nsleep 60\n")
    monkeypatch.setattr(simulation, "_MOST_DAY_SECONDS", 0.1)
    reported: list[str] = []
    assert simulation.simulate_policies(a_day(), reported.append) == {}
    assert reported[1] == "fcfs is left out: the simulation takes longer than 0.1 s"


@pytest.mark.usefixtures("core")
def test_a_throughput_test_without_any_end_is_not_simulated() -> None:
    assert simulation.simulate_policies(a_day(end=np.full(3, np.nan))) == {}


def test_the_core_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "cache" / "heorot" / "builds" / "schedule"
    program.parent.mkdir(parents=True)
    program.touch()
    n_builds = []

    def find_tool(*_: object) -> Path:
        n_builds.append(1)
        return program

    reported: list[str] = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(launches, "find_tool", find_tool)
    assert simulation.find_schedule(reported.append) == program
    assert simulation.find_schedule() == program
    assert (len(n_builds), reported) == (1, ["building the simulator"])
    program.unlink()
    simulation.find_schedule()
    assert len(n_builds) == 2


def test_why_there_is_no_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    failed = Built(failures={simulation.PROGRAM: "no such header"})
    monkeypatch.setattr(launches, "build_native", lambda *_: failed)
    with pytest.raises(BuildError, match="no such header"):
        simulation.find_schedule()
    monkeypatch.setattr(inspection, "list_toolchains", lambda *_: ())
    with pytest.raises(SetupError, match="compiler"):
        simulation.find_schedule()
