"""Other programs: each is ended with all processes that it started."""

from __future__ import annotations

import ast
import os
import re
import resource
import secrets
import shlex
import signal
from pathlib import Path

import pytest

from heorot import process
from heorot.process import run
from tests.unit.launch.runaways import chain_command, survives
from tests.waiting import text_of, wait_until


@pytest.mark.slow
def test_a_command_that_takes_too_long_leaves_nothing_behind(tmp_path: Path) -> None:
    # As ninja does, bash under job control gives its command a process group of its own.
    script = "set -m; sleep 3600 & echo $! >pid; wait"
    done = run(["bash", "-c", script], timeout_seconds=0.3, cwd=tmp_path)
    assert done.code == 124
    proc = Path("/proc") / (tmp_path / "pid").read_text().strip()
    wait_until(lambda: not text_of(proc / "cmdline"))  # a zombie has none


@pytest.mark.slow
def test_what_has_left_the_session_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_LAST_SECONDS", 0.1)
    script = "echo early; setsid sleep 3600 & echo $! >pid; wait"
    done = run(["bash", "-c", script], timeout_seconds=0.5, cwd=tmp_path)
    assert (done.code, done.out) == (124, "early\n")
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)  # it is there still


@pytest.mark.slow
@pytest.mark.parametrize(
    "script", ["setsid sleep 3600 &", "setsid yes &", "setsid sleep 3600 >&2 &"]
)
def test_a_command_has_ended_when_its_grandchildren_have_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    monkeypatch.setattr(process, "_LAST_SECONDS", 0.1)
    done = run(
        ["bash", "-c", f"echo early; {script} echo $! >pid; exit 3"],
        timeout_seconds=40.0,
        cwd=tmp_path,
        most_bytes=1000,
    )
    assert done.code == 3  # and not out of time
    assert done.out.startswith("early\n")
    left = (tmp_path / "pid").read_text().strip()
    if left:
        os.kill(int(left), signal.SIGKILL)


@pytest.mark.slow
def test_a_session_is_ended_amid_endless_words() -> None:
    done = run(["yes"], timeout_seconds=0.3, most_bytes=100)
    assert done.code == process.OUT_OF_TIME
    head, cut, tail = done.out.split("\n... ")[0], done.out.split("...")[1], done.out[-50:]
    assert set(head.split()) == set(tail.split()[-20:]) == {"y"}
    assert cut.endswith(" bytes are left out ")


@pytest.mark.slow
def test_of_long_output_head_and_tail_are_kept_and_memory_is_bounded() -> None:
    n_bytes = 200_000_000
    script = f"echo first; head -c {n_bytes} /dev/zero | tr '\\0' '\\n'; echo last; echo err >&2"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # [KiB]
    done = run(["bash", "-c", script], timeout_seconds=120.0, most_bytes=process.OUTPUT_BYTES)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000
    assert done.ok
    assert done.err == "err\n"
    assert done.out.startswith("first\n")
    assert done.out.endswith("\nlast\n")
    kept, left_out = len(done.out), int(done.out.split("... ")[1].split()[0])
    note = f"\n... {left_out} bytes are left out ...\n"
    assert kept - len(note) + left_out == n_bytes + len("first\nlast\n")
    assert kept <= process.OUTPUT_BYTES + len(note)


def test_lines_are_kept_whole() -> None:
    done = run(["seq", "1", "1000"], most_bytes=100)
    head, _, tail = done.out.partition("\n... ")
    assert head.split() == [str(n) for n in range(1, 1 + len(head.split()))]
    numbers = tail.partition("...\n")[2].split()
    assert numbers == [str(n) for n in range(1001 - len(numbers), 1001)]


def test_what_just_fits_is_whole() -> None:
    assert run(["printf", "%0100d", "7"], most_bytes=100).out == "7".rjust(100, "0")


@pytest.mark.slow
@pytest.mark.race
@pytest.mark.waiting
def test_a_chain_of_forks_does_not_outlive_its_session() -> None:
    for _ in range(4):
        mark = f"HEOROT_JOB=test-{secrets.token_hex(6)}"
        chain = shlex.join(chain_command(seconds=0.001, apart=False))
        done = run(["bash", "-c", f"export {mark}; {chain}; exec sleep 60"], timeout_seconds=0.3)
        assert done.code == 124
        assert not survives(mark)


def test_what_is_said_is_read_in_any_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for locale in ("C", "nonsense"):
        monkeypatch.setenv("LC_ALL", locale)
        done = run(["printf", r"gr\303\266\303\237e \377"])
        assert done.out == "größe \N{REPLACEMENT CHARACTER}"


# --- no other module starts or awaits a process -------------------------------------------------

_PACKAGE = Path(process.__file__).parent
_STARTING = frozenset({"subprocess", "multiprocessing", "pty", "asyncio"})
_OF_OS = re.compile(r"(system|popen|fork|forkpty|wait|wait[a-z]*\d?|exec.*|posix_spawn.*|spawn.*)")
# Where it is right, and why.
_ALLOWED = {
    "process.py: subprocess": "the one place",
    "throughput/simulate/run.py: subprocess": "the exception, and the type of what it detached",
    "launch/adapters/local.py: subprocess": "the exception and the type",
    "lab/inside/node_server.py: os.execvpe": "the child of a request becomes its command",
    "lab/inside/node_server.py: os.fork": "it stands before that as its parent, on the node",
    "lab/inside/node_server.py: os.waitpid": "its caller has a limit, and kills both",
    "lab/inside/node.py: os.fork": "the first process of a node, which is there to start others",
    "lab/inside/node.py: os.waitpid": "and to wait for them",
    "machine/pace.py: barrier.wait()": "for threads of its own, which end or break the barrier",
    "throughput/session/interactive.py: self.wait()": "for threads whose commands have limits",
    "throughput/session/conduct.py: typists.wait()": "for threads whose commands have limits",
}


def waits(root: Path) -> list[str]:
    """List where processes are started, or anything is awaited without a limit."""
    found = []
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    found += [f"{name}: {each.name}" for each in names if each.name in _STARTING]
                case ast.ImportFrom(module=str(module)) if module in _STARTING:
                    found.append(f"{name}: {module}")
                case ast.Attribute(value=ast.Name(id="os"), attr=attr) if _OF_OS.fullmatch(attr):
                    found.append(f"{name}: os.{attr}")
                case ast.Call(
                    func=ast.Attribute(attr="communicate" | "wait"), args=[], keywords=[]
                ):
                    found.append(f"{name}: {ast.unparse(node)}")
    return found


@pytest.mark.slow
def test_nobody_else_starts_processes_or_waits_without_a_limit() -> None:
    assert set(waits(_PACKAGE)) == _ALLOWED.keys()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import subprocess as s", "subprocess"),
        ("from subprocess import run", "subprocess"),
        ("import os\nos.popen('x')", "os.popen"),
        ("f = os.execv", "os.execv"),
        ("child.communicate()", "child.communicate()"),
        ("child.wait()", "child.wait()"),
    ],
)
def test_a_wait_without_a_limit_is_found(tmp_path: Path, text: str, found: str) -> None:
    (tmp_path / "a.py").write_text(text)
    assert waits(tmp_path) == [f"a.py: {found}"]


@pytest.mark.parametrize(
    "text", ["child.wait(3)", "event.wait(timeout=1)", "os.waitstatus_to_exitcode(1)"]
)
def test_what_has_a_limit_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.py").write_text(text)
    assert waits(tmp_path) == []
