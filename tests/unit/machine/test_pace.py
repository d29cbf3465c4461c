"""Calibration of this machine: plausible speeds, soon, on any number of threads."""

from __future__ import annotations

import threading

import pytest

from heorot.machine.pace import probe
from heorot.model.machine.pace import Pace


@pytest.mark.parametrize("n_cores", [1, 3])
def test_a_glance_sees_a_machine_of_our_time(n_cores: int) -> None:
    pace = probe(n_cores, 1 << 30)
    assert 0.02 < pace.scalar_speed < 50.0
    assert 0.02 < pace.vector_speed < 50.0
    assert 0.0 < pace.busy_share <= 1.0
    assert 1e8 < pace.core_bandwidth < 1e12
    assert 1e8 < pace.node_bandwidth < 1e13


def test_where_threads_are_few_none_waits_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = threading.Thread.start, list[threading.Thread]()

    def start_few(thread: threading.Thread) -> None:
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_few)
    with pytest.raises(RuntimeError, match="new thread"):
        probe(4, 1 << 30)


def test_cores_share_what_the_node_has() -> None:
    pace = Pace(
        scalar_speed=2.0, vector_speed=3.0, busy_share=0.5, core_bandwidth=10.0, node_bandwidth=25.0
    )
    assert [pace.bandwidth(cores) for cores in (1, 2, 3, 64)] == [10.0, 20.0, 25.0, 25.0]
    assert (pace.speed(1), pace.speed(2), pace.speed(2, vector=True)) == (2.0, 1.0, 1.5)
    slow = Pace(core_bandwidth=10.0, node_bandwidth=5.0)
    assert slow.bandwidth(4) == 10.0
