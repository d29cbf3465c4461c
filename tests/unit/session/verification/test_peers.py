"""Headlines of a run in earlier runs of the same folder and in files of published machines."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from heorot.model.analysis.result import Result
from heorot.model.evaluation import Evaluation, Peer
from heorot.report.page import format_report
from heorot.session.runs import reopen
from heorot.session.verification.peers import MOST_RUNS, find_peers
from heorot.store.digests import write_digests
from heorot.store.directory import RunDirectory
from heorot.store.results import read_results, write_results
from tests.unit.session.verification.conftest import STREAM

pytestmark = pytest.mark.slow

DAY = 86_400.0
NOW = 1.7e9


@pytest.fixture
def evaluation(concluded: RunDirectory) -> Evaluation:
    """Of a run that began at a known time, alone in its folder."""
    shutil.rmtree(concluded.path.parent / "run", ignore_errors=True)
    found = reopen(concluded.path).evaluation
    return replace(found, facts=found.facts.model_copy(update={"started": NOW}))


def another(run: RunDirectory, name: str, days: float, factor: float, **changes: Any) -> Path:
    """A copy of a run with another start, `days` from now, and all values times a factor."""
    path = shutil.copytree(run.path, run.path.parent / name)
    copy, begun = RunDirectory.open(path), NOW + days * DAY
    known = {"name": name, "started": begun, "ended": begun + 60.0}
    copy.write_facts(run.facts().model_copy(update=known | changes))
    names = ("median", "ci_low", "ci_high")
    rows = [
        row.model_copy(update={each: factor * getattr(row, each) for each in names})
        for row in read_results(copy.results_file)
    ]
    write_results(copy.results_file, rows)
    write_digests(path)
    return path


def triad_of(evaluation: Evaluation) -> Result:
    return next(
        score.result for score in evaluation.analysis.scores if score.result.benchmark == STREAM
    )


def peers_of(run: RunDirectory, evaluation: Evaluation) -> list[tuple[str, float]]:
    """Peers of the Triad: names and values, as a multiple of the run's own."""
    row = triad_of(evaluation)
    found: tuple[Peer, ...] = find_peers(run.path, evaluation).get(row.id, ())
    return [(peer.name, round(peer.median / row.median, 6)) for peer in found]


def test_earlier_runs_come_newest_first(concluded: RunDirectory, evaluation: Evaluation) -> None:
    assert find_peers(concluded.path, evaluation) == {}
    another(concluded, "old", -2, 0.5)
    another(concluded, "new", -1, 2.0)
    another(concluded, "later", 1, 3.0)
    another(concluded, "running", -1, 4.0, ended=None)
    assert peers_of(concluded, evaluation) == [("new", 2.0), ("old", 0.5)]


def test_runs_of_other_systems_and_changed_results_do_not_count(
    concluded: RunDirectory, evaluation: Evaluation
) -> None:
    other = RunDirectory.open(another(concluded, "other", -1, 2.0))
    machine = other.machine()
    other.write_machine(machine.model_copy(update={"hostname": "elsewhere", "name": "elsewhere"}))
    changed = RunDirectory.open(another(concluded, "changed", -1, 2.0))
    write_results(changed.results_file, read_results(concluded.results_file))
    (another(concluded, "undigested", -1, 2.0) / "digests.json").unlink()
    (another(concluded, "damaged", -1, 2.0) / "machine.json").write_text("{")
    assert peers_of(concluded, evaluation) == []


def test_other_layouts_do_not_count(concluded: RunDirectory, evaluation: Evaluation) -> None:
    path = another(concluded, "wider", -1, 2.0)
    file = RunDirectory.open(path).results_file
    rows = [row for row in read_results(file) if row.threads != triad_of(evaluation).threads]
    write_results(file, rows)
    write_digests(path)
    assert peers_of(concluded, evaluation) == []


def test_published_values_count_if_their_layout_is_known(
    concluded: RunDirectory, evaluation: Evaluation
) -> None:
    row = triad_of(evaluation)
    known = f"benchmark: {STREAM}, region: triad, metric: {row.metric}, unit: B/s"
    layout = f"ranks: {row.ranks}, threads: {row.threads}"
    texts = {
        "full": f"{{{known}, value: {2 * row.median}, {layout}}}",
        "vague": f"{{{known}, value: {2 * row.median}}}",
        "wrong": "{benchmark: none}",
    }
    for name, text in texts.items():
        content = f"name: {name}\nsource: a report\nquantities:\n- {text}\n"
        (concluded.path.parent / f"{name}.yaml").write_text(content)
    assert peers_of(concluded, evaluation) == [("full", 2.0)]


def test_the_page_has_the_place_on_the_tile(
    concluded: RunDirectory, evaluation: Evaluation
) -> None:
    another(concluded, "old", -2, 0.5)
    another(concluded, "new", -1, 2.0)
    assert "2nd of 3 runs" not in format_report(evaluation, ())
    placed = replace(evaluation, peers=find_peers(concluded.path, evaluation))
    tile = format_report(placed, ()).partition(">STREAM Triad<")[2].partition("</li>")[0]
    assert ">2nd of 3 runs</span>" in tile
    assert "new: " in tile


def test_so_many_runs_are_read_and_no_more(
    concluded: RunDirectory, evaluation: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST_RUNS > 2
    monkeypatch.setattr("heorot.session.verification.peers.MOST_RUNS", 2)
    for n in range(1, 4):
        another(concluded, f"r{n}", -n, float(n + 1))
    assert peers_of(concluded, evaluation) == [("r1", 2.0), ("r2", 3.0)]
