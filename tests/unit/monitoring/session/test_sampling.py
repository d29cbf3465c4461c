"""Samplers are started, ended and collected; unmonitored hosts stop nothing.

A script stands for the sampler, a script for the agent: what they do is what the real ones do.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from heorot.monitoring.session import sampling as module
from heorot.monitoring.session.sampling import find_monitor, look, start, stop
from tests.unit.monitoring.session.conftest import wait_for_samples

pytestmark = pytest.mark.waiting


def test_hosts_by_an_agent(tmp_path: Path, sampler: Path, agent: tuple[str, ...]) -> None:
    folder = tmp_path / "load of it"
    hosts = ("n1", "dead", "n2", "broken", "odd")
    watch = start(hosts, agent, sampler, folder, 0.05, longest_seconds=30)
    assert watch.unwatched == {
        "dead": "it cannot be reached: no route to host",
        "broken": "no sampler starts there: heorot: no room",
        "odd": "it does not report its time: 'no time'",
    }
    wait_for_samples(folder, "n1", "n2")
    live = look(watch)
    assert [node.name for node in live.nodes] == ["n1", "n2"]
    assert len(live.nodes[0].times) <= module._LATEST
    found = stop(watch)
    assert [(node.name, node.ending) for node in found.nodes] == [("n1", "stop"), ("n2", "stop")]
    assert found.unwatched == watch.unwatched
    offset = found.nodes[0].offset_seconds
    assert offset is not None
    assert abs(offset) <= found.nodes[0].offset_error_seconds
    again = stop(watch)  # nothing runs any more
    assert len(again.nodes) == 2


def test_this_machine_alone(tmp_path: Path, sampler: Path) -> None:
    watch = start((), (), sampler, tmp_path / "load", 0.05, longest_seconds=30)
    (host,) = watch.nodes
    assert host == os.uname().nodename
    wait_for_samples(tmp_path / "load", host)
    (node,) = stop(watch).nodes
    assert node.ending == "stop"


def test_those_of_an_earlier_session_are_ended_first(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...]
) -> None:
    folder = tmp_path / "load"
    start(("n1",), agent, sampler, folder, 0.05, longest_seconds=30)
    wait_for_samples(folder, "n1")
    watch = start(("n1",), agent, sampler, folder, 0.05, longest_seconds=30)
    assert not (folder / "stop").exists()
    stop(watch)
    text = (folder / "n1.samples").read_text()
    assert text.count("monitor format") == text.count("end stop") == 2


def test_no_room_for_clocks_and_the_file_that_stops(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...]
) -> None:
    folder = tmp_path / "load"
    (folder / "clocks.jsonl").mkdir(parents=True)
    watch = start(("n1",), agent, sampler, folder, 0.05, longest_seconds=30)
    wait_for_samples(folder, "n1")
    (node,) = stop(watch).nodes
    assert node.offset_seconds is None


def test_the_program_is_built_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def find(*words: object) -> Path:
        asked.extend(words)
        return Path("/m")

    monkeypatch.setattr(module, "find_tool", find)
    assert find_monitor((), "machine") == Path("/m")  # type: ignore[arg-type]
    assert asked[0] == "harness/monitor"
