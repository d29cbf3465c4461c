"""Counters of switches are polled as long as samplers run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.errors import SiteError
from heorot.machine.description.yaml import read_site
from heorot.model.machine.site import SiteCounters
from heorot.monitoring.session.sampling import start, stop
from heorot.monitoring.session.switch_counters import Counters
from tests.unit.monitoring.session.conftest import wait_for_samples

pytestmark = pytest.mark.waiting


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
    [("echo no route >&2; exit 7", "exit code 7: no route"), ("echo hello", "no port in it")],
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
