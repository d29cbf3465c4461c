"""Output of other monitors is kept unchanged; silent ones stop nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.batch.slurm import Slurm
from heorot.monitoring.model import Accounted
from heorot.monitoring.session.external_monitors import (
    accounts,
    note_accounts,
    note_watchers,
    watchers,
)
from heorot.monitoring.session.sampled_hosts import Watch
from tests.unit.turned import TurnedClock

PCP = """
kernel.all.cpu.user
    value {busy}

network.interface.in.bytes
    inst [0 or "lo"] value 7
    inst [3 or "eth0"] value 1000
time {time}
"""
# An agent like ssh that answers for the host: a script for each node.
AGENT = """
[ -x "{folder}/$1" ] || exit 255
case $2 in *pminfo*) exec "{folder}/$1" ;; *) exit 1 ;; esac
"""
SACCT = "JobID|State|TotalCPU|MaxRSS\n7|{state}|00:02.500|\n7.batch|{state}|00:02.500|12K\n"


def _script(file: Path, text: str) -> Path:
    file.write_text(f"#!/bin/sh\n{text}")
    file.chmod(0o755)
    return file


@pytest.fixture
def watch(tmp_path: Path) -> Watch:
    agent = _script(tmp_path / "agent", AGENT.format(folder=tmp_path))
    (tmp_path / "samples").mkdir()
    return Watch(tmp_path / "samples", ("n1", "n2", "n3"), (str(agent),), 1.0, {"n3": "dead"})


def _says(script: Path, busy: int, time: float) -> None:
    _script(script, f"cat <<'END'\n{PCP.format(busy=busy, time=time)}END\n")


def test_what_is_said_at_the_begin_and_at_the_end(watch: Watch, tmp_path: Path) -> None:
    for moment, busy, time in (
        ("begin", 4000, 100.0),
        ("begin", 5000, 101.0),
        ("end", 9000, 120.5),
    ):
        _says(tmp_path / "n1", busy, time)
        note_watchers(watch, moment)  # type: ignore[arg-type]
    kept = watchers(watch.directory, watch.nodes)
    assert not kept["node exporter"]
    assert set(kept["PCP"]) == {"n1"}
    before, after = kept["PCP"]["n1"]
    assert (before.time, before.cpu_seconds, before.received, before.sent) == (100.0, 4.0, 1000, 0)
    assert (after.time, after.cpu_seconds) == (120.5, 9.0)
    _says(tmp_path / "n1", 10, 130.0)  # it has booted: its counters were reset
    note_watchers(watch, "end")
    assert watchers(watch.directory, watch.nodes)["PCP"] == {}


def test_no_room_for_what_others_say(watch: Watch, tmp_path: Path) -> None:
    _says(tmp_path / "n1", 4000, 100.0)
    (watch.directory / "others").touch()  # in the place of the folder
    note_watchers(watch, "begin")
    assert watchers(watch.directory, watch.nodes) == {"node exporter": {}, "PCP": {}}


def test_what_was_kept_may_end_amid_a_letter(watch: Watch) -> None:
    (watch.directory / "others").mkdir()
    for name in ("PCP-n1-begin.txt", "PCP-n1-end.txt", "sacct.txt"):
        (watch.directory / "others" / name).write_bytes(b"JobID|State|\xe2\x82")
    assert set(watchers(watch.directory, watch.nodes)["PCP"]) == {"n1"}
    assert accounts(watch.directory) == {}


def test_what_is_kept_behind_a_link_is_not_read(watch: Watch, tmp_path: Path) -> None:
    folder = watch.directory / "others"
    folder.mkdir()
    (tmp_path / "secret").write_text("")
    for name in ("PCP-n1-begin.txt", "PCP-n1-end.txt", "sacct.txt"):
        (folder / name).symlink_to(tmp_path / "secret")
    assert watchers(watch.directory, watch.nodes)["PCP"] == {}
    assert accounts(watch.directory) == {}


def test_nobody_else_watches(tmp_path: Path) -> None:
    assert watchers(tmp_path, ("n1",)) == {"node exporter": {}, "PCP": {}}
    assert accounts(tmp_path) == {}


@pytest.mark.parametrize("late", [False, True])
def test_accounts_are_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, late: bool
) -> None:
    # The database knows the end at the third query, if ever.
    count, until = tmp_path / "count", 100 if late else 3
    _script(
        tmp_path / "sacct",
        f"echo \"$*\" >>'{count}'\n"
        f"if [ $(wc -l <'{count}') -lt {until} ]; then cat <<'END'\n"
        f"{SACCT.format(state='RUNNING')}END\nelse cat <<'END'\n"
        f"{SACCT.format(state='CANCELLED by 0')}END\nfi\n",
    )
    monkeypatch.setenv("TZ", "UTC")
    clock = TurnedClock()
    note_accounts(BatchClient(Slurm(), tmp_path), tmp_path, {"7"}, 86400.0, clock)
    assert clock.monotonic() == (9.0 if late else 2.0)
    known = {} if late else {"7": Accounted(cpu_seconds=2.5, task_bytes=12 * 1024.0)}
    assert accounts(tmp_path) == known
    assert "--starttime=1970-01-02T" in count.read_text()


def test_there_are_no_accounts(tmp_path: Path) -> None:
    _script(tmp_path / "sacct", "echo 'Slurm accounting storage is disabled' >&2\nexit 1\n")
    note_accounts(BatchClient(Slurm(), tmp_path), tmp_path, {"7"}, 86400.0)
    assert accounts(tmp_path) == {}
