"""Ctrl-C, SIGTERM and a hang-up are not lost, wherever Python happens to be."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

# What a finalizer raises is printed and dropped; the next process must not start.
_LOST = """
import os, signal, sys
from heorot import interruption, process

class Dying:
    def __del__(self):
        os.kill(os.getpid(), int(sys.argv[1]))

# Also if the tests run with these signals ignored, as by nohup and a shell's &.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
interruption.listen()
interruption.listen_for_hang_up()
Dying()
print("continued")
try:
    process.run(["true"])
except KeyboardInterrupt:
    print("ended")
"""


def _run(script: str, number: signal.Signals) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script, str(int(number))],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_python_drops_is_taken_up(number: signal.Signals) -> None:
    done = _run(_LOST, number)
    assert "ignored" in done.stderr
    assert done.stdout.split("\n")[:2] == ["continued", "ended"]


def test_a_signal_that_the_shell_has_us_ignore_stays_ignored() -> None:
    script = """
import os, signal, sys
from heorot import interruption
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
interruption.listen()
interruption.listen_for_hang_up()
os.kill(os.getpid(), int(sys.argv[1]))
interruption.raise_if_asked()
print("continued")
"""
    for number in (signal.SIGINT, signal.SIGHUP):
        assert _run(script, number).stdout == "continued\n"
    done = _run(script, signal.SIGTERM)
    assert done.stdout == ""
    assert "KeyboardInterrupt" in done.stderr
