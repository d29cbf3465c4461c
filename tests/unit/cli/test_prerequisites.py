"""The command line with closed and full streams, low limits and strange names."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from heorot import process
from heorot.cli.terminal import prerequisites
from heorot.errors import HeorotError

pytestmark = pytest.mark.slow

HEOROT = shlex.join([sys.executable, "-I", "-X", "utf8", "-m", "heorot.cli.main"])
LIST = "$HEOROT list --family memory"
LAUNCHER = Path(__file__).parents[3] / "heorot"
RUN = Path(__file__).parents[2] / "samples" / "runs" / "peak_0.1.0"
needs_namespaces = pytest.mark.skipif(
    not process.run(["unshare", "-m", "-u", "true"]).ok, reason="no namespaces to be had"
)


def shell(script: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script in which $HEOROT is the command line."""
    return subprocess.run(
        ["bash", "-c", script.replace("$HEOROT", HEOROT)],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )


def refusal(script: str, cwd: Path, **environment: str) -> str:
    """The line of a refusal; its only other output is a hint, and no file is left."""
    before = sorted(cwd.iterdir())
    done = shell(script, cwd, **environment)
    assert done.returncode == 2, done.stderr
    line, hint = (done.stdout + done.stderr).splitlines()
    assert line.startswith("heorot: ")
    assert hint.startswith("hint: ")
    assert sorted(cwd.iterdir()) == before
    return line.removeprefix("heorot: ")


@pytest.mark.parametrize("command", ["list", "evaluate --anyway --profile smoke"])
def test_a_closed_output_is_told_before_anything_begins(tmp_path: Path, command: str) -> None:
    assert refusal(f"$HEOROT {command} >&-", tmp_path) == "standard output is closed"


def test_where_errors_cannot_be_written_they_are_said_where_results_go(tmp_path: Path) -> None:
    for closed in ("2>&-", "2>/dev/full"):
        assert refusal(f"$HEOROT lst {closed}", tmp_path) == "no such command: lst"


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-", "2>/dev/full"])
def test_other_closed_streams_harm_nobody(tmp_path: Path, closed: str) -> None:
    done = shell(f"{LIST} {closed}", tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("Memory\n  memory/stream ")


@pytest.mark.parametrize("words", ["list --family memory", "--help", "machine"])
def test_a_full_output_is_one_line(tmp_path: Path, words: str) -> None:
    said = refusal(f"$HEOROT {words} >/dev/full", tmp_path)
    assert said == "No space left on device: output"


def test_nothing_can_be_said_where_everything_is_closed(tmp_path: Path) -> None:
    done = shell(f"{LIST} >&- 2>&-", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


@pytest.mark.parametrize("command", ["$HEOROT", shlex.quote(str(LAUNCHER))])
def test_few_files(tmp_path: Path, command: str) -> None:
    said = refusal(f"ulimit -n 12; {command} doctor", tmp_path)
    assert said == "no more than 12 files may be open at the same time"


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("-v 10000", "no more than 10000 KiB of memory may be used"),
        ("-d 10000", "no more than 10000 KiB of data may be held"),
        ("-s 64", "no stack may be longer than 64 KiB"),
        ("-f 200", "no file may be longer than 200 KiB"),
    ],
)
def test_the_launcher_says_which_limit_keeps_python_from_starting(
    tmp_path: Path, limit: str, said: str
) -> None:
    shutil.copy(LAUNCHER, tmp_path)
    shutil.copy(LAUNCHER.with_name("pyproject.toml"), tmp_path)
    assert refusal(f"ulimit {limit}; ./heorot list", tmp_path) == said


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act for another user")
@pytest.mark.parametrize("n_processes", [1, 2])
def test_the_launcher_says_that_no_process_can_be_started(n_processes: int) -> None:
    with tempfile.TemporaryDirectory() as name:  # that others can reach
        place = Path(name)
        place.chmod(0o755)
        shutil.copy(LAUNCHER, place)
        drop = "setpriv --reuid=54321 --regid=54321 --clear-groups"
        script = f"exec {drop} bash -c 'ulimit -u {n_processes}; exec ./heorot list'"
        assert refusal(script, place) == "no process can be started"


def test_short_files(tmp_path: Path) -> None:
    said = refusal("ulimit -f 100; $HEOROT evaluate --anyway --profile smoke", tmp_path)
    assert said == "no file may be longer than 100 KiB"


def test_little_memory(tmp_path: Path) -> None:
    # Two threads at a time have no room, whatever else they share.
    limits = "ulimit -s 300000; ulimit -v 600000"
    said = refusal(f"{limits}; OPENBLAS_NUM_THREADS=1 $HEOROT doctor", tmp_path)
    assert said in {"no more threads can be started", "there is not enough memory"}
    said = refusal("ulimit -v 200000; $HEOROT list", tmp_path)
    assert said == "no more than 200000 KiB of memory may be used"
    said = refusal("ulimit -d 100000; $HEOROT list", tmp_path)
    assert said == "no more than 100000 KiB of data may be held"


def test_no_thread_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reported before a library of numpy sends SIGINT; no thread is left waiting."""
    before, start, n_started = threading.active_count(), threading.Thread.start, 0

    def refuse(thread: threading.Thread) -> None:
        nonlocal n_started
        if n_started == 2:
            raise RuntimeError("can't start new thread")
        n_started += 1
        start(thread)

    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(4)))
    monkeypatch.setattr(threading.Thread, "start", refuse)
    for name in ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(HeorotError, match="no more threads can be started"):
        prerequisites.require("list")
    assert threading.active_count() == before
    n_started = 0
    monkeypatch.setenv("OMP_NUM_THREADS", "2")  # as many as OpenBLAS then starts
    prerequisites.require("list")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act for another user")
def test_few_processes(tmp_path: Path) -> None:
    """A user with so few processes that one thread is one too many."""
    drop = (
        "import os, resource, sys; from heorot.cli import main; "
        "resource.setrlimit(resource.RLIMIT_NPROC, (1, 1)); os.setgroups([]); "
        "os.setgid(54321); os.setuid(54321); sys.argv[1:] = ['list']; main.main()"
    )
    python = shlex.join([sys.executable, "-I", "-X", "utf8", "-c", drop])
    said = refusal(f"OPENBLAS_NUM_THREADS=2 {python}", tmp_path)
    assert said == "no more threads can be started"


@pytest.mark.parametrize(
    "words",
    [
        r"evaluate --anyway --profile smoke --out $'a\xff'",
        r"evaluate --anyway --profile smoke --site $'a\xff'",
        r"report $'a\xff'",
    ],
)
def test_arguments_are_text(tmp_path: Path, words: str) -> None:
    assert refusal(f"$HEOROT {words}", tmp_path) == r"an argument is not UTF-8 text: a\xff"


def test_the_working_directory_is_text(tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff"))
    odd.mkdir()
    said = refusal("$HEOROT evaluate --anyway --profile smoke", odd)
    assert said == rf"the working directory is not UTF-8 text: {tmp_path}/a\xff"


GONE = "mkdir b; cd b; rmdir ../b;"


@pytest.mark.parametrize(
    "words", ["machine", "evaluate --anyway --dry-run", "report runs/a", "export a --out b.csv"]
)
def test_what_needs_the_working_directory_says_that_it_is_gone(tmp_path: Path, words: str) -> None:
    assert refusal(f"{GONE} $HEOROT {words}", tmp_path) == "the working directory is gone"


@pytest.mark.parametrize("words", ["list --family memory", "machine --help", "", "status $RUN"])
def test_what_does_not_need_the_working_directory_works_without(tmp_path: Path, words: str) -> None:
    done = shell(f"{GONE} $HEOROT {words}", tmp_path, RUN=str(RUN))
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert done.stdout


def test_a_working_directory_that_its_server_has_lost_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stale() -> Path:
        raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))

    monkeypatch.setattr(Path, "cwd", stale)
    prerequisites.require("report")
    with pytest.raises(HeorotError, match="the working directory is gone"):
        prerequisites.require("machine")


def test_a_directory_of_the_environment_is_text(tmp_path: Path) -> None:
    said = refusal(r"XDG_CACHE_HOME=$'/x\xff' $HEOROT doctor", tmp_path)
    assert said == r"$XDG_CACHE_HOME is not UTF-8 text: /x\xff"


def test_names_that_are_too_long(tmp_path: Path) -> None:
    assert refusal(f"$HEOROT report {'x' * 300}", tmp_path).startswith("File name too long: ")
    said = refusal(f"$HEOROT evaluate --anyway --profile smoke --out {'x' * 300}", tmp_path)
    assert said == f"cannot write {tmp_path}/{'x' * 300}: File name too long"


@needs_namespaces
def test_without_processes_and_without_a_host_name(tmp_path: Path) -> None:
    script = 'unshare -m sh -c "mount -t tmpfs none /proc; $HEOROT doctor"'
    assert refusal(script, tmp_path) == "/proc is missing: without it no process can be followed"
    unnamed = "import os, socket, sys; socket.sethostname(''); os.execv(sys.argv[1], sys.argv[1:])"
    script = f'unshare -u {sys.executable} -c "{unnamed}" $HEOROT doctor'
    assert refusal(script, tmp_path) == "this machine has no host name"


def test_files_are_read_without_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "exists", lambda _: False)
    prerequisites.require("report")
    with pytest.raises(HeorotError, match="/proc is missing"):
        prerequisites.require("evaluate")
