"""Processes left by programs are ended after each step, and their origin is recorded."""

from __future__ import annotations

import shlex
import shutil
import sys
import time
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import TYPE_CHECKING, Any

import pytest

from heorot.launch.command import StepCommand
from heorot.launch.job import Job, write_job
from tests.unit.launch.runaways import chain_command, is_there
from tests.waiting import text_of, wait_until

if TYPE_CHECKING:
    from tests.unit.launch.conftest import Jobs

pytestmark = pytest.mark.waiting

_DAEMON = "echo $$ >>{pids}; exec sleep 100"
_WAYS = {
    "plain": "{bash} -c {daemon} &",
    "twice forked": "( ({bash} -c {daemon} &) & )",
    "a session of its own": "setsid {bash} -c {daemon} &",
    "deaf to hang-ups": "nohup {bash} -c {daemon} >/dev/null 2>&1 &",
    "without an environment": "env -i setsid {bash} -c {daemon} &",
    "under another name": "(exec -a kworker setsid {bash} -c {daemon}) &",
    "without open files": "{bash} -c {daemon} <&- >&- 2>&- 3>&- 9>&- &",
    "by all ways": "( (env -i nohup setsid {bash} -c {daemon} <&- >&- 2>&- 3>&- 9>&- &) & )",
    "stopped": "env -i setsid {bash} -c {stopped} &",
    "a hundred": "for ((i = 0; i < 100; i++)); do env -i setsid {bash} -c {daemon} & done",
    "without its first thread": "env -i setsid {python} -S -c {threads} {pids} &",
    "a tree": "env -i setsid {bash} -c {tree} &",
}
_THREADS = """
import ctypes, os, sys, threading, time
def stay():
    with open(sys.argv[1], "a") as file:
        print(os.getpid(), file=file)
    time.sleep(100)
threading.Thread(target=stay).start()
ctypes.CDLL(None).pthread_exit(None)
"""
_TREE = "for i in 1 2 3; do {bash} -c {daemon} & done; {daemon}"


def _leaving(way: str, pids: Path, n: int = 1) -> str:
    """A program that leaves a process in one of the ways, and ends when it exists."""
    daemon = _DAEMON.format(pids=pids)
    words = {
        "bash": shutil.which("bash"),
        "python": sys.executable,
        "threads": shlex.quote(_THREADS),
        "pids": str(pids),
        "daemon": shlex.quote(daemon),
        "stopped": shlex.quote(f"echo $$ >>{pids}; kill -STOP $$"),
        "tree": shlex.quote(
            _TREE.replace("{bash}", "bash")
            .replace("-c {daemon}", f"-c {shlex.quote(daemon)}")
            .replace("{daemon}", daemon)
        ),
    }
    began = f"until [ $(cat {pids} 2>/dev/null | wc -l) -ge {n} ]; do sleep 0.01; done"
    return f"{_WAYS[way].format(**words)}\n{began}"


def _left(jobs: Jobs, job: Job) -> list[dict[str, Any]]:
    return [event for event in jobs.events(job) if event["event"] == "left"]


def _living(pids: Path) -> list[int]:
    """Those that exist, also with only a second thread."""
    return [
        pid
        for pid in map(int, pids.read_text().split())
        if is_there(pid) or len([*Path(f"/proc/{pid}/task").glob("*")]) > 1
    ]


def _plain_path(folder: Path, *without: str) -> Path:
    """A folder for PATH with all but some programs."""
    folder.mkdir()
    for place in ("/usr/bin", "/bin"):
        for file in Path(place).iterdir():
            if file.name not in without and not (folder / file.name).is_symlink():
                (folder / file.name).symlink_to(file)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("way", _WAYS)
def test_what_a_good_step_leaves_is_gone_before_the_next(
    jobs: Jobs, tmp_path: Path, way: str
) -> None:
    pids, n = tmp_path / "pids", {"a hundred": 100, "a tree": 4}.get(way, 1)
    look = (
        f"for pid in $(cat {pids}); do grep -qs '^State:.[^ZX]' /proc/$pid/status && exit 9; done"
    )
    job = jobs.run(_leaving(way, pids, n), f"{look}; true")
    assert [event["code"] for event in jobs.exits(job)] == [0, 0]
    assert _living(pids) == []
    (left,) = _left(jobs, job)
    assert (left["steps"], left["n"]) == (["S0001"], n)
    assert left["names"]
    assert jobs.adapter.complaint(job) == ""


@pytest.mark.slow
@pytest.mark.parametrize("without", [("perl",), ("perl", "python3")])
def test_without_a_way_to_adopt_the_mark_tells(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PATH", str(_plain_path(tmp_path / "bin", *without)))
    # Python adopts as perl does; without both, a process with a cleared environment stays.
    way = "without an environment" if without == ("perl",) else "a session of its own"
    pids = tmp_path / "pids"
    job = jobs.run(_leaving(way, pids), "true")
    assert _living(pids) == []
    assert [(left["steps"], left["n"]) for left in _left(jobs, job)] == [(["S0001"], 1)]


@pytest.mark.slow
@pytest.mark.parametrize("apart", [False, True])
def test_a_chain_of_forks_does_not_outlive_its_step(
    jobs: Jobs, tmp_path: Path, *, apart: bool
) -> None:
    # Each link writes a sign of life.
    chain = chain_command(seconds=0.002, apart=apart)
    sign = tmp_path / "sign"
    chain[4] = chain[4].replace(
        "    time.sleep", f"    open({str(sign)!r}, 'w').close()\n    time.sleep"
    )
    job = jobs.run(
        f"env -i {shlex.join(chain)}; until [ -e {sign} ]; do sleep 0.01; done", f"rm {sign}"
    )
    assert [event["code"] for event in jobs.exits(job)] == [0, 0]
    assert _left(jobs, job)[0]["steps"] == ["S0001"]
    time.sleep(0.1)
    assert not sign.exists()


@pytest.mark.slow
def test_exiting_processes_are_not_reported(jobs: Jobs) -> None:
    job = jobs.run("sleep 0.05 &", "true")
    assert _left(jobs, job) == []


@pytest.mark.slow
def test_what_a_failed_step_leaves_without_the_mark_is_ended(jobs: Jobs, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    job = jobs.run(f"{_leaving('without an environment', pids)}; exit 3")
    assert jobs.exits(job)[0]["code"] == 3
    assert _living(pids) == []


@pytest.mark.slow
def test_what_runs_beside_lives_on(jobs: Jobs, tmp_path: Path) -> None:
    """Concurrent steps leave processes; those of other steps and of strangers continue."""
    done = tmp_path / "done"
    scripts = (
        _leaving("without an environment", tmp_path / "a"),
        f"setsid bash -c 'sleep 0.8; touch {done}' & until [ -e {done} ]; do sleep 0.01; done",
        _leaving("a session of its own", tmp_path / "c"),
    )
    commands = [
        StepCommand(
            step=f"S{number:04d}",
            argv=("bash", "-c", script),
            cwd=tmp_path,
            timeout_seconds=20.0,
            record=tmp_path / "record",
            wave=1,
        )
        for number, script in enumerate(scripts, start=1)
    ]
    with Popen(["sleep", "60"], stdin=DEVNULL, start_new_session=True) as stranger:
        job = write_job(tmp_path / "jobs/J0001", commands)
        jobs.made.append(job)
        jobs.run_to_end(job)
        assert stranger.poll() is None
        stranger.kill()
    assert [event["code"] for event in jobs.exits(job)] == [0, 0, 0]
    assert done.exists()
    assert _living(tmp_path / "a") == _living(tmp_path / "c") == []
    steps = {tuple(left["steps"]): left["n"] for left in _left(jobs, job)}
    assert steps == {("S0003",): 1, ("S0001", "S0002", "S0003"): 1}


@pytest.mark.slow
def test_cancel_ends_what_has_cleared_its_environment(jobs: Jobs, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    job = jobs.make(f"{_leaving('without an environment', pids)}; sleep 100")
    jobs.adapter.start(job)
    wait_until(lambda: text_of(pids))
    jobs.adapter.cancel(job)
    assert _living(pids) == []


def test_programs_see_nothing_of_it(jobs: Jobs) -> None:
    """No further signal is ignored or blocked, and no file is open."""
    job = jobs.run(
        "grep ^Sig[BI] /proc/self/status; ls /proc/self/fd; env | grep '^HEOROT_[JSDA].*='"
    )
    masks, words = jobs.output(job).split("\n", 2)[:2], jobs.output(job).split()[4:]
    assert [int(mask.split()[1], 16) for mask in masks] == [0, 0]
    assert words[:4] == ["0", "1", "2", "3"]
    seen = sorted(word.partition("=")[0] for word in words[4:])
    assert seen == ["HEOROT_DIRECTORY", "HEOROT_JOB", "HEOROT_STEP"]


@pytest.mark.slow
@pytest.mark.alone
def test_it_costs_little(jobs: Jobs) -> None:
    job = jobs.run(*["true"] * 20)
    starts = [event["time"] for event in jobs.events(job) if event["event"] == "start"]
    ends = [event["time"] for event in jobs.exits(job)]
    # From the end of one step to the start of the next, without leftovers.
    pauses = sorted(start - end for end, start in zip(ends[:-1], starts[1:], strict=True))
    assert pauses[len(pauses) // 2] < 0.02


@pytest.mark.slow
def test_the_end_waits_for_output_that_is_read_late(jobs: Jobs) -> None:
    job = jobs.make("echo done")
    text = job.script.read_text()
    assert text.count('    cat >"$1"') == 1
    job.script.write_text(text.replace('    cat >"$1"', '    sleep 3; cat >"$1"'))
    jobs.run_to_end(job)
    assert jobs.output(job) == "done\n"
