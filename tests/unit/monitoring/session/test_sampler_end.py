"""Samplers are ended, whatever they receive; an unreachable host is not taken for dead."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from heorot.monitoring.session import sampler_end
from heorot.monitoring.session.sampled_hosts import Watch
from heorot.monitoring.session.sampling import start, stop
from tests.unit.monitoring.session.conftest import (
    WRITTEN,
    append,
    wait_for,
    wait_for_samples,
)
from tests.unit.turned import TurnedClock
from tests.waiting import text_of, wait_until

pytestmark = pytest.mark.waiting


@pytest.mark.parametrize("interval", [0.05, 3600.0])
def test_one_that_sees_no_file_is_ended_by_a_signal(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...], clock: TurnedClock, interval: float
) -> None:
    folder = tmp_path / "load"
    watch = start(("deaf",), agent, sampler, folder, interval, longest_seconds=30, clock=clock)
    wait_for_samples(folder, "deaf")
    (node,) = stop(watch).nodes
    assert node.ending == "signal"
    # A sampler with an interval of an hour is not awaited.
    assert clock.monotonic() <= 30.0 + 2 * 50.0 + 1.0
    wait_for("end signal 1", folder / "deaf.samples")


def test_what_one_says_that_was_signalled_is_waited_for(
    tmp_path: Path, heard: tuple[str, ...], clock: TurnedClock
) -> None:
    file = tmp_path / "n1.samples"
    file.write_text(WRITTEN)
    watch = Watch(tmp_path, ("n1",), heard, 1.0, clock=clock)
    clock.after(2.0 + 50.0 + 3.0, lambda: append(file, "s 3 3 0 30 0\nend signal 1\n"))
    (node,) = stop(watch).nodes
    assert (node.ending, len(node.times)) == ("signal", 2)


def test_one_that_was_signalled_and_has_not_ended_yet_is_not_silent(
    tmp_path: Path, heard: tuple[str, ...], sampler: Path, clock: TurnedClock
) -> None:
    file = tmp_path / "n1.samples"
    file.write_text(WRITTEN)
    watch = Watch(tmp_path, ("n1",), heard, 1.0, clock=clock)
    (node,) = stop(watch).nodes
    assert node.ending == "signal"
    # Nor is a second one started while one is between its lines.
    again = start(("n1",), heard, sampler, tmp_path, longest_seconds=30, clock=clock)
    assert again.unwatched == {"n1": "a sampler of an earlier heorot has not ended there"}
    assert file.read_text() == WRITTEN


def test_a_node_that_writes_is_not_silent_because_it_cannot_be_asked(
    tmp_path: Path, clock: TurnedClock
) -> None:
    file = tmp_path / "n1.samples"
    file.write_text(WRITTEN)

    def write() -> None:
        is_over = (tmp_path / "stop").exists()
        append(file, "end stop 1\n" if is_over else f"s {clock.monotonic()} 3 0 30 0\n")

    for second in (0.5, 1.5, 2.5):
        clock.after(second, write)
    watch = Watch(tmp_path, ("n1",), ("false",), 1.0, clock=clock)
    (node,) = stop(watch).nodes
    assert node.ending == "stop"


def test_one_that_has_the_number_of_another_is_left_alone(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...], clock: TurnedClock
) -> None:
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    their_watch = start(("deaf",), agent, sampler, theirs, 0.05, longest_seconds=30)
    wait_for_samples(theirs, "deaf")
    ours.mkdir()
    (ours / "deaf.samples").write_bytes((theirs / "deaf.samples").read_bytes())
    (node,) = stop(Watch(ours, ("deaf",), agent, 0.05, clock=clock)).nodes
    assert node.ending == "silent"
    before = text_of(theirs / "deaf.samples")
    wait_until(lambda: len(text_of(theirs / "deaf.samples")) > len(before))
    their_watch.clock = clock
    stop(their_watch)
    wait_for("end signal 1", theirs / "deaf.samples")


def test_nobody_waits_for_dead_nodes(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampler_end, "_PATIENCE_SECONDS", 1000.0)
    folder = tmp_path / "load"
    watch = start(("n1",), agent, sampler, folder, 0.05, longest_seconds=30)
    wait_for_samples(folder, "n1")
    (folder / "dead.samples").write_bytes((folder / "n1.samples").read_bytes())
    watch.nodes = ("n1", "dead")
    found = stop(watch)
    assert [(node.name, node.ending) for node in found.nodes] == [
        ("n1", "stop"),
        ("dead", "silent"),
    ]


def test_files_of_a_long_day_are_not_read_again_and_again(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(sampler_end, "_pid", asked.append)
    watch = start(("n1",), agent, sampler, tmp_path / "load", 0.05, longest_seconds=30)
    wait_for_samples(tmp_path / "load", "n1")
    stop(watch)
    assert asked == []  # it saw the file


def test_no_process_is_ended_that_is_no_sampler(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...], clock: TurnedClock
) -> None:
    folder = tmp_path / "load"
    folder.mkdir()
    ours = f"monitor format=1 host=n1 pid={os.getpid()}\ncolumns time clock own_seconds\ns 1 1 0\n"
    (folder / "n1.samples").write_text(ours)
    (folder / "n2.samples").write_text("monitor format=1 pid=x\nmonitor pid\ns 1\n")
    watch = start(("n1", "n2"), agent, sampler, folder, 0.05, longest_seconds=30, clock=clock)
    assert watch.unwatched == {}  # and we live
    stop(watch)
    for host in watch.nodes:
        wait_for("\nend ", folder / f"{host}.samples")
