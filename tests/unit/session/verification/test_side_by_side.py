"""Several runs from their directories: named, compared, refused in one line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from heorot.errors import FileError, HeorotError, RunError, UsageError
from heorot.model.analysis.studies.systems import MOST_SYSTEMS
from heorot.session.verification.compared import compare_side_by_side, write_systems
from heorot.store.directory import RunDirectory
from tests.unit.session.verification.conftest import PINGPONG, STREAM
from tests.unit.session.verification.test_published import TEXT

pytestmark = pytest.mark.slow


@pytest.fixture
def runs(concluded: RunDirectory, tmp_path: Path) -> list[Path]:
    """Three runs of one name, in directories of other names."""
    copies = [tmp_path / name / "run" for name in ("first", "second", "third")]
    return [Path(shutil.copytree(concluded.path, copy)) for copy in copies]


def test_equal_names_are_reported_apart_by_where_the_runs_lie(runs: list[Path]) -> None:
    side = compare_side_by_side(runs)
    name = RunDirectory.open(runs[0]).facts().name
    assert [system.name for system in side.systems] == [
        f"{name} (first/run)", f"{name} (second/run)", f"{name} (third/run)"
    ]  # fmt: skip


def test_copies_of_a_run_do_not_differ(runs: list[Path]) -> None:
    side = compare_side_by_side(runs)
    assert {row.benchmark for row in side.rows} == {STREAM, PINGPONG}
    assert {each and each.verdict for row in side.rows for each in row.others} == {
        "indistinguishable"
    }
    assert side.facts == ()
    assert side.builds == ()
    assert not side.disagreements


def test_what_does_not_agree_is_named_by_its_letter(runs: list[Path]) -> None:
    (record,) = runs[1].glob("jobs/J*/records/S0001.jsonl")
    record.write_bytes(record.read_bytes() + b"\n")
    side = compare_side_by_side(runs)
    assert side.disagreements
    assert all(line.startswith("B: ") for line in side.disagreements)


def test_a_published_machine_is_compared_with_runs(runs: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "old.yaml"
    file.write_text(TEXT)
    side = compare_side_by_side([*runs, file])
    assert side.systems[3].name == "Old"
    assert side.systems[3].is_published
    (metric,) = side.comparisons[2].metrics
    assert metric.verdict == "untested"


def test_the_page_has_figures_of_all_runs(runs: list[Path], tmp_path: Path) -> None:
    side = compare_side_by_side(runs)
    write_systems(side, runs, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "3 systems compared" in page
    assert '<g class="s2">' in page


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda runs, _: [*runs, runs[1]], UsageError, "is given twice"),
        (lambda runs, _: [*runs, runs[0] / ".." / "run"], UsageError, "is given twice"),
        (lambda runs, _: runs * 5, UsageError, f"at most {MOST_SYSTEMS}"),
        (lambda runs, file: [file, *runs], UsageError, "the first"),
        (lambda runs, _: [*runs, runs[0].parent], RunError, "is not a run"),
        (lambda runs, _: [*runs, runs[0] / "none"], RunError, "is not a run"),
        (lambda runs, _: [*runs, runs[0] / "none.yaml"], FileError, "No such file"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    runs: list[Path], tmp_path: Path, make: object, kind: type[HeorotError], message: str
) -> None:
    file = tmp_path / "old.yaml"
    file.write_text(TEXT)
    assert callable(make)
    with pytest.raises(kind) as refused:
        compare_side_by_side(make(runs, file))
    assert message in f"{refused.value} {refused.value.hint}"


def test_a_throughput_test_and_a_run_without_results_are_refused(runs: list[Path]) -> None:
    (runs[1] / "request.json").write_text("{}")
    with pytest.raises(RunError, match="holds a throughput test"):
        compare_side_by_side(runs)
    (runs[1] / "request.json").unlink()
    directory = RunDirectory.open(runs[1])
    directory.write_plan(directory.plan().model_copy(update={"steps": ()}))
    shutil.rmtree(runs[1] / "jobs")
    with pytest.raises(RunError):
        compare_side_by_side(runs)
