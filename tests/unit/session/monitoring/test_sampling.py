"""Samplers are started, ended and collected; what cannot be watched stops nothing.

A script stands for the sampler, a script for the agent: what they do is what the real ones do.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.errors import SiteError
from heorot.machine.description.yaml import read_site
from heorot.model.machine.site import SiteCounters
from heorot.session.monitoring import find_monitor, look, start, stop
from heorot.session.monitoring import sampling as module
from heorot.session.monitoring.counters import Counters

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
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", 1.5)


def wait_for_samples(folder: Path, *hosts: str) -> None:
    deadline = time.monotonic() + 20.0
    while time.monotonic() < deadline:
        files = [folder / f"{host}.samples" for host in hosts]
        if all(file.exists() and file.read_text().count("\ns ") >= 3 for file in files):
            return
        time.sleep(0.02)
    raise AssertionError("no samples")


def test_hosts_by_an_agent(tmp_path: Path, sampler: Path, agent: tuple[str, ...]) -> None:
    folder = tmp_path / "load of it"
    hosts = ("n1", "dead", "n2", "broken", "odd")
    watch = start(hosts, agent, sampler, folder, 0.05, longest_seconds=30, cpus={"n1": 7})
    assert watch.unwatched == {
        "dead": "it cannot be reached: no route to host",
        "broken": "no sampler starts there: heorot: no room",
        "odd": "it does not say its time: 'no time'",
    }
    wait_for_samples(folder, "n1", "n2")
    live = look(watch)
    assert [node.name for node in live.nodes] == ["n1", "n2"]
    assert len(live.nodes[0].times) <= module._LATEST
    found = stop(watch)
    assert [(node.name, node.ending) for node in found.nodes] == [("n1", "stop"), ("n2", "stop")]
    assert found.nodes[0].cpus == 7
    assert found.unwatched == watch.unwatched
    offset = found.nodes[0].offset_seconds
    assert offset is not None
    assert abs(offset) <= found.nodes[0].offset_error_seconds
    again = stop(watch)  # nothing runs any more
    assert len(again.nodes) == 2


def test_this_machine_alone(tmp_path: Path, sampler: Path) -> None:
    watch = start((), (), sampler, tmp_path / "load", 0.05, longest_seconds=30)
    (host,) = watch.nodes
    assert host == os.uname().nodename
    wait_for_samples(tmp_path / "load", host)
    (node,) = stop(watch).nodes
    assert node.ending == "stop"


def test_those_of_an_earlier_session_are_ended_first(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...]
) -> None:
    folder = tmp_path / "load"
    start(("n1",), agent, sampler, folder, 0.05, longest_seconds=30)
    wait_for_samples(folder, "n1")
    watch = start(("n1",), agent, sampler, folder, 0.05, longest_seconds=30)
    assert not (folder / "stop").exists()
    stop(watch)
    text = (folder / "n1.samples").read_text()
    assert text.count("monitor format") == text.count("end stop") == 2


def test_one_that_sees_no_file_is_ended_by_a_signal(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...]
) -> None:
    folder = tmp_path / "load"
    watch = start(("deaf",), agent, sampler, folder, 0.05, longest_seconds=30)
    wait_for_samples(folder, "deaf")
    (node,) = stop(watch).nodes
    assert node.ending == "signal"  # not silent: what it says is waited for


def test_one_that_sleeps_for_long_is_ended_by_a_signal(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LONGEST_SLEEP_SECONDS", 0.1)
    folder = tmp_path / "load"
    watch = start(("deaf",), agent, sampler, folder, 3600.0, longest_seconds=30)
    wait_for_samples(folder, "deaf")
    begin = time.monotonic()
    (node,) = stop(watch).nodes
    assert node.ending == "signal"
    assert time.monotonic() - begin < 60.0


def test_nobody_waits_for_dead_nodes(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", 1000.0)
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
    monkeypatch.setattr(module, "_pid", asked.append)
    watch = start(("n1",), agent, sampler, tmp_path / "load", 0.05, longest_seconds=30)
    wait_for_samples(tmp_path / "load", "n1")
    stop(watch)
    assert asked == []  # it saw the file


def test_no_process_is_ended_that_is_no_sampler(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", 0.0)
    folder = tmp_path / "load"
    folder.mkdir()
    ours = f"monitor format=1 host=n1 pid={os.getpid()}\ncolumns time clock own_seconds\ns 1 1 0\n"
    (folder / "n1.samples").write_text(ours)
    (folder / "n2.samples").write_text("monitor format=1 pid=x\nmonitor pid\ns 1\n")
    watch = start(("n1", "n2"), agent, sampler, folder, 0.05, longest_seconds=30)
    assert watch.unwatched == {}  # and we live
    stop(watch)


def test_counters_of_switches(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...], script: Callable[[str, str], Path]
) -> None:
    lines = "ifName.1 = STRING: ge1\\nifHCInOctets.1 = Counter64: '$(($(date +%s%N) / 1000))'\\n"
    command = script("switch", f"#!/bin/sh\nprintf '{lines}'\n")
    counters = SiteCounters(command=(str(command),), kind="snmp", interval_seconds=0.1)
    folder = tmp_path / "load"
    watch = start(("n1",), agent, sampler, folder, 0.05, longest_seconds=30, counters=counters)
    wait_for_samples(folder, "n1")
    found = stop(watch)
    (port,) = found.ports
    assert port.name == "ge1"
    assert port.received[0] == pytest.approx(1e6, rel=0.5)
    assert found.complaints == ()
    assert watch.counters is not None
    watch.counters.stop()  # a second time does nothing


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("echo no route >&2; exit 7", "exit code 7: no route"), ("echo hello", "it names no port")],
)
def test_switches_that_do_not_answer(
    tmp_path: Path, script: Callable[[str, str], Path], text: str, complaint: str
) -> None:
    command = script("switch", f"#!/bin/sh\n{text}\n")
    counters = Counters(SiteCounters(command=(str(command),), kind="snmp"), tmp_path)
    counters.start()
    counters.stop()
    assert complaint in (tmp_path / "ports.jsonl").read_text()


def test_no_room_for_answers(tmp_path: Path, script: Callable[[str, str], Path]) -> None:
    command = script("switch", "#!/bin/sh\necho hello\n")
    counters = Counters(SiteCounters(command=(str(command),), kind="snmp"), tmp_path / "none")
    counters.start()
    counters.stop()
    assert not (tmp_path / "none").exists()


def test_no_room_for_clocks_and_the_file_that_stops(
    tmp_path: Path, sampler: Path, agent: tuple[str, ...]
) -> None:
    folder = tmp_path / "load"
    (folder / "clocks.jsonl").mkdir(parents=True)
    watch = start(("n1",), agent, sampler, folder, 0.05, longest_seconds=30)
    wait_for_samples(folder, "n1")
    (node,) = stop(watch).nodes
    assert node.offset_seconds is None


def test_the_program_is_built_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def find(*words: object) -> Path:
        asked.extend(words)
        return Path("/m")

    monkeypatch.setattr(module, "find_tool", find)
    assert find_monitor((), "machine") == Path("/m")  # type: ignore[arg-type]
    assert asked[0] == "harness/monitor"


def test_a_site_says_how_its_switches_are_asked(tmp_path: Path) -> None:
    file = tmp_path / "site.yaml"
    text = "networks:\n  - name: ib\n    counters:\n      command: [cat, file]\n"
    text += "      kind: perfquery\n"
    file.write_text(text)
    counters = read_site(file).networks[0].counters
    assert counters == SiteCounters(command=("cat", "file"), kind="perfquery")
    for said, instead, line in (("perfquery", "guess", 5), ("[cat, file]", "[]", 4)):
        file.write_text(text.replace(said, instead))
        with pytest.raises(SiteError, match=f"site.yaml:{line}: "):
            read_site(file)
