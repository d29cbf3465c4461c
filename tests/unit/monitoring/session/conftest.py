"""Scripts in place of the sampler and of agents, with the behaviour of the real ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.monitoring.session import sampler_end
from tests.unit.turned import TurnedClock
from tests.waiting import text_of, wait_until

SAMPLER = r"""#!/bin/sh
for word; do case $word in
    --out=*) out=${word#*=} ;; --host=*) host=${word#*=} ;; --seconds=*) seconds=${word#*=} ;;
esac; done
[ "$host" = broken ] && { echo 'heorot: no room' >&2; exit 3; }
[ "$host" = odd ] && { echo 'no time'; exit 0; }
rm -f "$0.begun.$host" && mkfifo "$0.begun.$host"
(
    trap 'echo "end signal 1" >>"$out"; exit' TERM
    pid=$(sh -c 'echo $PPID')
    echo "monitor format=1 host=$host interval=0.05 ticks=100 page=4096 pid=$pid" >>"$out"
    echo begun >"$0.begun.$host"
    echo 'columns time clock own_seconds user system' >>"$out"
    i=0
    while [ $i -lt 400 ]; do
        i=$((i + 1))
        echo "s $i $i 0 $((10 * i)) 0" >>"$out"
        [ "$host" != deaf ] && [ -e "${out%/*}/stop" ] && { echo 'end stop 1' >>"$out"; exit; }
        sleep 0.05
    done
) >/dev/null 2>&1 &
read -r begun <"$0.begun.$host"
date +%s.%N
"""

AGENT = """#!/bin/sh
[ "$1" = dead ] && { echo 'no route to host' >&2; exit 255; }
shift
exec sh -c "$*"
"""

HEARD = """#!/bin/sh
case "$*" in *"kill -TERM"*) exit 0 ;; *date*) exec date +%s.%N ;; *) exit 255 ;; esac
"""
# Output of a sampler that has not ended.
WRITTEN = """monitor format=1 host=n1 interval=1 ticks=100 page=4096 pid=1
columns time clock own_seconds user system
s 1 1 0 10 0
s 2 2 0 20 0
"""


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str, str], Path]:
    def write(name: str, text: str) -> Path:
        file = tmp_path / name
        file.write_text(text)
        file.chmod(0o755)
        return file

    return write


@pytest.fixture
def sampler(script: Callable[[str, str], Path]) -> Path:
    return script("monitor", SAMPLER)


@pytest.fixture
def agent(script: Callable[[str, str], Path]) -> tuple[str, ...]:
    return (str(script("agent", AGENT)),)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow this computer is, a sampler that is asked to end writes its end line."""
    monkeypatch.setattr(sampler_end, "_PATIENCE_SECONDS", 50.0)


@pytest.fixture
def clock() -> TurnedClock:
    return TurnedClock()


@pytest.fixture
def heard(script: Callable[[str, str], Path]) -> tuple[str, ...]:
    """An agent that prints the time, and that processes to be signalled are gone."""
    return (str(script("heard", HEARD)),)


def wait_for(text: str, file: Path, times: int = 1) -> None:
    """Wait until a file contains a text a number of times."""
    wait_until(lambda: text_of(file).count(text) >= times, seen=lambda: text_of(file))


def wait_for_samples(folder: Path, *hosts: str) -> None:
    for host in hosts:
        wait_for("\ns ", folder / f"{host}.samples", times=3)


def append(file: Path, text: str) -> None:
    with file.open("a") as opened:
        opened.write(text)
