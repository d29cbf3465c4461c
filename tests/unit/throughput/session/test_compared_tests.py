"""Directories of compared throughput tests: which are read, which are refused and how."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.cli.runs.compare_tests import compare_and_print
from heorot.errors import HeorotError, RunError, UsageError
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.session import conduct
from heorot.throughput.store import ThroughputDirectory
from heorot.throughput.verification import compare_directories
from tests.unit.throughput.session.conftest import Seen

pytestmark = [
    pytest.mark.usefixtures("plain_tests"),
    pytest.mark.slow,
    pytest.mark.waiting,
]


def test_two_tests_of_the_same_work(
    ask: Callable[..., ThroughputRequest], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "0: 3 * quick\n"
    places = [tmp_path / name for name in ("one", "two", "three")]
    for place in places:
        conduct.throughput(ask(text, out=place), Seen())
    compared, _ = compare_directories([places[:1], places[1:]])
    assert compared.same_work
    assert [[one.account.n_ok for one in system.tests] for system in compared.systems] == [
        [3],
        [3, 3],
    ]
    capsys.readouterr()
    compare_and_print([[place] for place in places], tmp_path / "page.html")
    said = capsys.readouterr().out
    assert "not judged (single tests)" in said
    assert "No recorded setting differs" in said
    page = (tmp_path / "page.html").read_text()
    assert 'data-id="ran-2"' in page
    assert 'id="compared-whole"' in page


def test_what_is_refused(ask: Callable[..., ThroughputRequest], tmp_path: Path) -> None:
    def refused(error: type[HeorotError], text: str, *paths: Path) -> None:
        with pytest.raises(error, match=text):
            compare_directories([[path] for path in paths])

    place = conduct.throughput(ask("0: 1 * quick\n", alone=0), Seen()).directory
    refused(UsageError, "only one is given", place)
    refused(UsageError, "13 systems are too many", *[place] * 13)
    refused(UsageError, "is named twice", place, tmp_path / "." / place.name)
    refused(RunError, "is not a run", place, tmp_path)
    other = conduct.throughput(ask("0: 1 * quick\n", alone=0, out=tmp_path / "b"), Seen()).directory
    directory = ThroughputDirectory(place)
    facts = directory.throughput_facts()
    directory.write_throughput_facts(facts.model_copy(update={"ended": None}))
    refused(RunError, "has not ended", place, other)
    directory.write_throughput_facts(facts)
    (place / "settled.json").write_text("{}")
    refused(RunError, "1 file changed since the run was concluded: settled.json", place, other)
