"""Changed files of a run are reported first, and results that depend on them never compared."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from heorot.cli.runs.compare import command as compare_command
from heorot.cli.terminal.tables import comparison_table
from heorot.errors import RunError
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.site import Site
from heorot.recipes.read import read_recipe
from heorot.recipes.skeleton import skeleton
from heorot.session import conductor, runs
from heorot.session.blocks import measure
from heorot.session.progress import Progress
from heorot.session.runs import conclude, reopen, write_report
from heorot.session.verification import disagreements, reading
from heorot.session.verification.compared import compare
from heorot.session.verification.disagreements import agreement_of, conclude_digests
from heorot.session.verification.exported import export
from heorot.store.digests import write_digests
from heorot.store.directory import RunDirectory
from heorot.store.results import read_results, write_results
from heorot.store.samples import read_samples, write_samples
from tests.unit.collect.conftest import make_step
from tests.unit.model.keys import but
from tests.unit.session.conftest import Reported
from tests.unit.session.verification.conftest import PINGPONG, STREAM, TwoPrograms, record_of

pytestmark = pytest.mark.slow

Change = Callable[[RunDirectory], None]
LEFT_OUT = "left out for that: memory/stream (all_cores)"
SAMPLES = "samples.parquet differs from the records, which count here: memory/stream (all_cores)"


def _page(run: RunDirectory) -> str:
    write_report(reopen(run.path), None)
    return run.report_file.read_text(encoding="utf-8")


def _compared(a: RunDirectory, b: RunDirectory) -> set[str]:
    return {metric.benchmark for metric in compare(a.path, b.path).metrics}


@pytest.fixture
def sound(concluded: RunDirectory, tmp_path: Path) -> RunDirectory:
    """The same run, untouched."""
    shutil.copytree(concluded.path, tmp_path / "sound")
    return RunDirectory.open(tmp_path / "sound")


def test_nothing_is_said_of_a_run_as_it_was_concluded(concluded: RunDirectory) -> None:
    ended = reopen(concluded.path)
    assert ended.evaluation.disagreements == ()
    assert ended.code == 0
    assert "Agreement of files" not in _page(concluded)
    assert _compared(concluded, concluded) == {STREAM, PINGPONG}
    assert export(concluded.path, "csv")[1] == ()


@pytest.mark.parametrize("digests", ["left", "rewritten", "removed"])
def test_changed_samples_change_no_number(
    concluded: RunDirectory, sound: RunDirectory, make_faster: Change, digests: str
) -> None:
    before = reopen(concluded.path).evaluation.analysis.results
    make_faster(concluded)
    if digests == "rewritten":
        write_digests(concluded.path)
    elif digests == "removed":
        (concluded.path / "digests.json").unlink()
    ended = reopen(concluded.path)
    assert ended.code == 1
    assert ended.evaluation.analysis.results == before
    assert ended.evaluation.disagreements[-1] == SAMPLES
    assert SAMPLES in _page(concluded)
    comparison = compare(sound.path, concluded.path)
    assert {metric.benchmark for metric in comparison.metrics} == {PINGPONG}
    assert comparison.disagreements[-2:] == (f"B: {SAMPLES}", f"B: {LEFT_OUT}")


def test_what_agrees_is_compared_without_being_analysed_again(
    concluded: RunDirectory, sound: RunDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its records and its stored results; with the same outcome as by an analysis."""
    by_what_is_stored = compare(sound.path, concluded.path)
    with monkeypatch.context() as patch:
        patch.setattr(reading, "_read_agreeing", lambda _: None)
        assert compare(sound.path, concluded.path) == by_what_is_stored
    for name in ("analyse", "reopen_agreeing", "recompute"):
        monkeypatch.delattr(runs, name)
    assert compare(sound.path, concluded.path) == by_what_is_stored
    row = read_results(concluded.results_file)[0]
    write_results(concluded.results_file, [row.model_copy(update={"plausible": False})])
    write_digests(concluded.path)
    left = compare(sound.path, concluded.path).metrics
    assert len(left) == len(by_what_is_stored.metrics) - 1  # it cannot be, by what is stored


def test_samples_written_anew_with_the_same_content_count(concluded: RunDirectory) -> None:
    write_samples(concluded.samples_file, read_samples(concluded.samples_file)[::-1])
    ended = reopen(concluded.path)
    assert ended.evaluation.disagreements == (
        "1 file changed since the run was concluded: samples.parquet",
    )
    assert _compared(concluded, concluded) == {STREAM, PINGPONG}


def test_a_changed_record_takes_its_whole_case_out_of_comparisons(
    concluded: RunDirectory, sound: RunDirectory
) -> None:
    """One launch less would be a choice, too."""
    path = record_of(concluded, "S0002")
    path.write_bytes(path.read_bytes().replace(b'"passed":true', b'"passed":true ', 1))
    line = f"1 file changed since the run was concluded: {path.relative_to(concluded.path)}"
    ended = reopen(concluded.path)
    assert (ended.evaluation.disagreements, ended.code) == ((line,), 1)
    assert line in _page(concluded)
    comparison = compare(concluded.path, sound.path)
    assert {metric.benchmark for metric in comparison.metrics} == {PINGPONG}
    assert comparison.disagreements == (f"A: {line}", f"A: {LEFT_OUT}")
    rows, lines = export(concluded.path, "csv")
    assert b"memory/stream" not in rows
    assert b"messages/pingpong" in rows
    assert lines == (line, LEFT_OUT)


@pytest.mark.parametrize("name", ["status.jsonl", "stderr", "odd"])
def test_files_of_a_job_concern_all_its_cases(
    concluded: RunDirectory, sound: RunDirectory, name: str
) -> None:
    job = record_of(concluded, "S0001").parents[1]
    with (job / name).open("a") as file:
        file.write("\n")
    left = _compared(concluded, sound)
    concerned = {step.benchmark for step in concluded.steps(int(job.name[1:]))}
    assert left == {STREAM, PINGPONG} - concerned
    rows, lines = export(concluded.path, "csv")
    assert f",{job.name}\n".encode() not in rows
    assert job.name in lines[-1]


def test_a_record_in_a_job_that_came_later_is_not_compared(
    concluded: RunDirectory, sound: RunDirectory
) -> None:
    record = record_of(concluded, "S0001")
    later = concluded.jobs / "J9999"
    (later / "records").mkdir(parents=True)
    shutil.copy(record, later / "records")
    lines = (record.parents[1] / "status.jsonl").read_text().splitlines(keepends=True)
    (later / "status.jsonl").write_text("".join(line for line in lines if '"S0001"' in line))
    line = reopen(concluded.path).evaluation.disagreements[0]
    names = "jobs/J9999/records/S0001.jsonl, jobs/J9999/status.jsonl"
    assert line == f"2 files added since the run was concluded: {names}"
    assert _compared(sound, concluded) == {PINGPONG}


@pytest.mark.parametrize(
    "name", ["run.json", "plan.json", "machine.json", "jobs/J0001/steps.json", "recipes/a.txt"]
)
def test_a_run_that_has_changed_as_a_whole_is_not_compared(
    concluded: RunDirectory, sound: RunDirectory, name: str
) -> None:
    path = concluded.path / name
    path.parent.mkdir(exist_ok=True)
    with path.open("a") as file:
        file.write(" \n")
    for pair in ((concluded, sound), (sound, concluded)):
        with pytest.raises(RunError, match=f"no longer as it was concluded: {name}") as raised:
            compare(*(run.path for run in pair))
    assert f"verify {concluded.path}" in raised.value.hint
    with pytest.raises(RunError):
        export(concluded.path, "csv")
    assert name in _page(concluded)


def test_damaged_digests_are_as_good_as_a_changed_run(concluded: RunDirectory) -> None:
    (concluded.path / "digests.json").write_text("{}")
    assert reopen(concluded.path).code == 1
    with pytest.raises(RunError, match=r"digests\.json is damaged"):
        compare(concluded.path, concluded.path)


def test_runs_without_digests_stay_usable(concluded: RunDirectory) -> None:
    (concluded.path / "digests.json").unlink()
    ended = reopen(concluded.path)
    assert ended.code == 0
    (line,) = ended.evaluation.disagreements
    assert line.startswith("no digests: run heorot verify ")
    assert line in _page(concluded)
    assert compare(concluded.path, concluded.path).disagreements == (f"A: {line}", f"B: {line}")
    assert _compared(concluded, concluded) == {STREAM, PINGPONG}


def test_digests_follow_a_resumed_run(run: RunDirectory, reported: Reported) -> None:
    """Half way they do not agree; at the next end they do."""
    adapter = TwoPrograms()
    adapter.killed_before = "S0003"
    measure(run, ExecutionTarget(adapter, Site(), 1), reported)
    conclude(run)
    assert reopen(run.path).evaluation.disagreements == ()
    adapter.killed_before = ""
    measure(run, ExecutionTarget(adapter, Site(), 1), reported)
    assert reopen(run.path).evaluation.disagreements != ()
    assert conclude(run).evaluation.disagreements == ()
    ended = reopen(run.path)
    assert ended.evaluation.disagreements == ()
    assert ended.evaluation.account.completed == 3


@pytest.mark.parametrize("damage", ["changed", "missing", "added", "digests"])
def test_nothing_is_added_to_a_changed_run(
    concluded: RunDirectory, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        conductor, "resolve_target", lambda *_: ExecutionTarget(TwoPrograms(), Site(), 1)
    )
    record = record_of(concluded, "S0001")
    match damage:
        case "changed":
            record.write_bytes(record.read_bytes() + b"\n")
        case "missing":
            record.unlink()
        case "added":
            record.with_name("S0009.jsonl").touch()
        case _:
            (concluded.path / "digests.json").write_text("{}")
    before = (concluded.path / "digests.json").read_bytes()
    with pytest.raises(RunError, match=f"nothing is added to {concluded.path}: ") as refused:
        conductor.resume(concluded.path, Progress())
    assert (concluded.path / "digests.json").read_bytes() == before
    (concluded.path / "digests.json").unlink()  # as in the hint
    assert f"; to resume it as it is: rm {concluded.path}/digests.json" in refused.value.hint
    conductor.resume(concluded.path, Progress())
    assert reopen(concluded.path).evaluation.disagreements == ()


def test_invented_names_are_text(concluded: RunDirectory) -> None:
    first, *others = read_samples(concluded.samples_file)
    odd = but(first, case="\x1b[2J<script>" + "x" * 1000)
    write_samples(concluded.samples_file, (odd, *others))
    (concluded.jobs / "J0001/records/<b>\n.jsonl").touch()
    page = _page(concluded)
    assert "memory/stream ([2J&lt;script&gt;xxx" in page
    assert "x" * 100 not in page
    assert "records/&lt;b&gt;.jsonl" in page


def test_comparisons_say_it_on_top(
    concluded: RunDirectory, make_faster: Change, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    make_faster(concluded)
    run, page = str(concluded.path), tmp_path / "page.html"
    CliRunner().invoke(compare_command, [run, run, "--out", str(page)], standalone_mode=False)
    text = page.read_text(encoding="utf-8")
    assert text.index(f"B: {LEFT_OUT}") < text.index("<h2")
    comparison_table(compare(concluded.path, concluded.path), everything=False)
    table = capsys.readouterr().out
    assert table.index(f"B: {LEFT_OUT}") < table.index("ratio > 1")


def test_files_with_figures_of_programs_of_others_count(
    run: RunDirectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(skeleton("mine", "heorot"))
    recipe = read_recipe(file).model_copy(update={"output": "latest"})
    monkeypatch.setattr(disagreements, "recipes_of", lambda _: (recipe,))
    step = make_step(benchmark=recipe.benchmark)
    run.write_steps(1, (step,))
    folder = run.job(1) / "work" / step.id
    folder.mkdir(parents=True)
    (folder / "grid.7").write_text("2.68")
    (folder / "latest").symlink_to("grid.7")
    conclude_digests(run, (step,))
    assert agreement_of(run, (step,)).agrees
    (folder / "grid.7").write_text("8.03")
    assert agreement_of(run, (step,)).changed == ("jobs/J0001/work/S0001/grid.7",)
