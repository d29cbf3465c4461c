"""Activity of a node: load and stolen time between two readings, swap, counters."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.machine.kernel.activity import parse_load, read_activity

# A guest of four hardware threads that loses time to another guest; 100 ticks per second.
BEFORE = """\
cpu  28414 12 7741 1593210 3310 0 521 902 0 0
cpu0 7101 3 1935 398302 827 0 130 225 0 0
cpu1 7104 3 1936 398303 828 0 130 226 0 0
cpu2 7104 3 1935 398302 828 0 130 225 0 0
cpu3 7105 3 1935 398303 827 0 131 226 0 0
intr 9125123 0 9
ctxt 15423311
btime 1764217000
"""
AFTER = BEFORE.replace(
    "28414 12 7741 1593210 3310 0 521 902", "28504 12 7751 1593302 3310 0 521 910"
)


def test_busy_threads_and_the_stolen_share() -> None:
    # 100 of 200 ticks were spent by programs, on four threads; 8 were stolen.
    assert parse_load(BEFORE, AFTER) == pytest.approx((2.0, 0.04))


@pytest.mark.parametrize("text", ["", "cpu  0 0 0 0\n", BEFORE, "intr 5\n", "cpu  a b\n"])
def test_without_time_between_them_nothing_is_known(text: str) -> None:
    assert parse_load(text, text) == (None, None)


def test_a_node_is_looked_at_twice(tmp_path: Path) -> None:
    def write(name: str, text: str) -> None:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    write("proc/stat", BEFORE)
    write("proc/meminfo", "SwapTotal:       4194304 kB\nSwapFree:        3145728 kB\n")
    write("proc/sys/kernel/perf_event_paranoid", "4\n")
    write("sys/class/powercap/intel-rapl:0/name", "package-0\n")
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        write("proc/stat", AFTER)

    found = read_activity(tmp_path, 0.25, sleep)
    assert slept == [0.25]
    assert found.busy_cpus == pytest.approx(2.0)
    assert found.swapped_bytes == 1 << 30
    assert (found.perf_event_paranoid, found.reads_energy) == (4, False)
    write("sys/class/powercap/intel-rapl:0/energy_uj", "123456789\n")
    assert read_activity(tmp_path, 0.25, sleep).reads_energy is True


def test_what_a_kernel_does_not_tell_is_unknown(tmp_path: Path) -> None:
    found = read_activity(tmp_path, 0.0, lambda _: None)
    assert (found.busy_cpus, found.stolen, found.swapped_bytes) == (None, None, None)
    assert (found.perf_event_paranoid, found.reads_energy) == (None, None)
