"""Parts run as processors allow; hung, late and killed parts leave logs, and no processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.tiers.part import PYTEST, Part, trying
from tests.tiers.running import ROOT, Ran, Runner
from tests.waiting import text_of, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.waiting]


def _run(parts: Sequence[Part], folder: Path) -> list[Ran]:
    return Runner(folder, dict(os.environ), lambda *_: None, lambda _: None).run(parts)


def _sh(text: str) -> tuple[str, ...]:
    return ("sh", "-c", text)


def test_a_part_waits_for_those_that_it_needs_and_not_for_one_that_failed(tmp_path: Path) -> None:
    parts = [
        Part("second", "", _sh("echo second"), 10.0, after=("first",)),
        Part("first", "", _sh("sleep 0.3; echo first"), 10.0),
        Part("broken", "", _sh("exit 3"), 10.0),
        Part("never", "", _sh("true"), 10.0, after=("broken",)),
        Part("last", "", _sh("true"), 10.0, alone=True),
    ]
    ended = _run(parts, tmp_path)
    names = [ran.part.name for ran in ended]
    assert names.index("first") < names.index("second")
    assert names[-1] == "last"
    assert "never" not in names
    assert {ran.part.name: ran.code for ran in ended}["broken"] == 3
    assert (tmp_path / "second.txt").read_text() == "second\n"


def test_what_hangs_is_ended_and_says_where(tmp_path: Path) -> None:
    program = tmp_path / "hangs.py"
    program.write_text("import time\ndef hang(): time.sleep(600)\nhang()\n")
    part = Part("hangs", "", (sys.executable, "-X", "faulthandler", str(program)), 0.5)
    (ran,) = _run([part], tmp_path)
    assert ran.code == -signal.SIGABRT
    assert ran.late
    assert "in hang" in ran.log.read_text()


def test_a_worker_that_is_killed_ends_its_part(tmp_path: Path) -> None:
    (tmp_path / "test_well.py").write_text("def test_well(): pass\n")
    (tmp_path / "test_killed.py").write_text(
        "import os\nimport pytest\n@pytest.mark.parametrize('i', range(9))\n"
        "def test_killed(i):\n    if i == 3: os.kill(os.getpid(), 9)\n"
    )
    (ran,) = _run([Part("unit", "", trying(str(tmp_path), workers=2), 60.0)], tmp_path)
    assert ran.code == 1
    assert ran.progress() == (5, 10)


def test_who_is_ended_keeps_results_and_leaves_nothing_running(tmp_path: Path) -> None:
    marker = f"heorot-{os.getpid()}-{time.monotonic_ns()}"
    (tmp_path / "test_two.py").write_text(
        "import subprocess, time\n"
        "def test_first():\n"
        f"    subprocess.Popen(['setsid', 'sh', '-c', 'sleep 600; : {marker}'])\n"
        "def test_second():\n"
        "    time.sleep(600)\n"
    )
    program = tmp_path / "program.py"
    part = Part("two", "", (*PYTEST, str(tmp_path / "test_two.py")), 100.0)
    program.write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from pathlib import Path\n"
        "from tests.tiers.main import Tier, run\n"
        "from tests.tiers.part import Part\n"
        f"sys.exit(run(Tier([{part!r}], ()), Path({str(tmp_path)!r})))\n"
    )
    child = subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, cwd=ROOT, text=True)
    results = tmp_path / "two.jsonl"
    log = tmp_path / "two.txt"
    wait_until(lambda: "test_first" in text_of(results), seen=lambda: text_of(log))
    child.terminate()
    said, _ = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "ended before it was over" in said
    first = [json.loads(line) for line in results.read_text().splitlines()][1]
    assert first["outcome"] == "passed"
    assert (tmp_path / "two.xml").exists()
    processes = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert marker not in processes.stdout


def test_logs_that_cannot_be_kept_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "build").touch()
    program = tmp_path / "program.py"
    program.write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from pathlib import Path\n"
        "import tests.tiers.main as tiers\n"
        f"tiers._LOGS = Path({str(tmp_path)!r}) / 'build' / 'tests'\n"
        "tiers.main()\n"
    )
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    first, hint = done.stderr.splitlines()
    assert done.returncode == 2
    assert first == "heorot: cannot keep logs in build/tests: Not a directory"
    assert hint.startswith("hint: ")
