"""Input files of recipes are needs of their cases, and checked again before each job."""

from __future__ import annotations

import hashlib
import os
import signal
from pathlib import Path

import pytest

from heorot.cli.main import main
from heorot.errors import RunError
from heorot.model.catalogue.benchmark import Case
from heorot.model.catalogue.need import CheckedFile
from heorot.model.recipe import Recipe
from heorot.model.run.request import Request
from heorot.recipes.expand import cases_of, complete
from heorot.recipes.read import read_recipe
from heorot.session.external_programs.chosen import keep, recipes_of
from heorot.session.external_programs.inputs import require_inputs, staged_for
from heorot.session.preparation import dry_run
from heorot.session.recipe_check import smallest_case
from heorot.store.directory import RunDirectory
from tests.unit.analyse.builders import a_machine
from tests.unit.recipes.conftest import a_launch, with_metrics

MESH = b"8 cells\n"
SUM = hashlib.sha256(MESH).hexdigest()
RATE = r"name: rate, unit: MB/s, better: higher, pattern: 'rate (?P<value>\S+)'"


def a_recipe(folder: Path, *files: str) -> Path:
    """A recipe with these input files, each a flow mapping."""
    lines = "".join(f"  - {{{each}}}\n" for each in files)
    text = with_metrics(RATE, more=f"input_files:\n{lines}")
    (folder / "small.yaml").write_text(text)
    return folder / "small.yaml"


@pytest.fixture
def mesh(tmp_path: Path) -> Path:
    """An input file."""
    (tmp_path / "mesh.dat").write_bytes(MESH)
    return tmp_path / "mesh.dat"


def trouble_with(file: Path) -> str:
    """Why the first launch of a recipe is refused."""
    with pytest.raises(RunError) as caught:
        require_inputs([read_recipe(file)], [a_launch()])
    assert caught.value.hint
    return str(caught.value).removeprefix("a launch needs the input file ")


def test_a_wrong_checksum_is_refused_with_both(tmp_path: Path, mesh: Path) -> None:
    file = a_recipe(tmp_path, f"path: mesh.dat, sha256: {'f' * 64}")
    wrong = f"{mesh} with SHA-256 {'f' * 12}..., it has {SUM[:12]}..."
    assert trouble_with(file) == wrong


def test_a_file_that_changes_is_looked_at_again(tmp_path: Path, mesh: Path) -> None:
    file = a_recipe(tmp_path, f"path: mesh.dat, sha256: {SUM}")
    require_inputs([read_recipe(file)], [a_launch()])
    mesh.write_bytes(MESH.replace(b"8", b"9"))  # same length
    assert f"{mesh} with SHA-256 {SUM[:12]}..., it has " in trouble_with(file)
    mesh.unlink()
    assert trouble_with(file) == f"{mesh}, which cannot be read: No such file or directory"
    mesh.mkdir()
    assert trouble_with(file) == f"{mesh}, which cannot be read: it is a directory"


def test_cases_need_the_input_files_of_their_entry(tmp_path: Path, mesh: Path) -> None:
    names = ("path: mesh.dat", f"path: {mesh}, name: in/it, stage: link, cases: [other], bytes: 8")
    recipe = read_recipe(a_recipe(tmp_path, *(f"{each}, sha256: {SUM}" for each in names)))
    one = CheckedFile(path=mesh, sha256=SUM, copied=True)
    machine = a_machine(1)
    found = {case.name: case.needs.inputs for case in cases_of(recipe)(machine, "quick")}
    assert {name.partition("_")[0]: inputs for name, inputs in found.items()} == {
        "one": (one,),
        "other": (one, CheckedFile(path=mesh, sha256=SUM, bytes=8)),
    }
    for size, kind, n_inputs in ((8, "big", 1), (9, "small", 2)):
        own = Case(name="chosen", options={"size": size, "kind": kind})
        assert len(complete(recipe)(machine, own).needs.inputs) == n_inputs
    assert smallest_case(recipe, "other", None, None).needs.inputs == found["other_small"]


@pytest.mark.slow
@pytest.mark.parametrize("is_there", [True, False])
def test_a_machine_without_a_file_leaves_its_cases_out_and_runs_all_else(
    tmp_path: Path, mesh: Path, is_there: bool
) -> None:
    if not is_there:
        mesh.unlink()
    file = a_recipe(tmp_path, f"path: mesh.dat, cases: [other], sha256: {SUM}")
    only = ("others/*", "memory/stream")
    out = tmp_path / "run"
    plan, _ = dry_run(Request(recipes=(str(file),), only=only, profile="full", out=out))
    ran = {step.case for step in plan.steps if step.benchmark == "others/small"}
    assert ran == ({"one", "other_small", "other_tiny"} if is_there else {"one"})
    assert any(step.benchmark == "memory/stream" for step in plan.steps)
    reported = {each.case: each.reason for each in plan.skipped if each.benchmark == "others/small"}
    why = f"needs the input file {mesh}, which cannot be read: No such file or directory"
    assert reported == ({} if is_there else {"other_small": why, "other_tiny": why})


def test_a_home_of_no_user_is_no_place(tmp_path: Path) -> None:
    file = a_recipe(tmp_path, f"path: ~unknown-user/mesh.dat, sha256: {SUM}")
    assert "~unknown-user/mesh.dat, which cannot be read" in trouble_with(file)


@pytest.mark.slow
@pytest.mark.parametrize("words", ["evaluate --recipe {} --only others/*", "recipe check {}"])
def test_nothing_runs_with_a_wrong_input_file(
    tmp_path: Path,
    mesh: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: str,
) -> None:
    file = a_recipe(tmp_path, f"path: {mesh}, sha256: {'f' * 64}")
    out = tmp_path / "run"
    given = [*words.format(file).split(), "--anyway", "--out", str(out)]
    monkeypatch.setattr("sys.argv", ["heorot", *given])
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended:
        main()
    signal.signal(signal.SIGTERM, before)
    assert ended.value.code == 2
    said = capsys.readouterr().err.splitlines()
    wrong = f"needs the input file {mesh} with SHA-256 {'f' * 12}..., it has {SUM[:12]}..."
    assert f"nothing can run: {wrong}" in said[-2]
    assert said[-1].startswith("hint: put its input files there")
    assert not out.exists()


def kept(run: RunDirectory, file: Path) -> Recipe:
    keep(run, {"small": file})
    (recipe,) = recipes_of(run)
    return recipe


def test_a_run_knows_where_its_input_files_are(
    run: RunDirectory, tmp_path: Path, mesh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    names = ("path: mesh.dat", "path: ~/mesh.dat, name: in/it, stage: link, cases: [other]")
    file = a_recipe(tmp_path, *(f"{each}, sha256: {SUM}" for each in names))
    monkeypatch.chdir(tmp_path)
    recipe = kept(run, Path("small.yaml"))
    file.unlink()  # the run does not need it any more
    monkeypatch.chdir("/")
    assert [each.path for each in recipe.input_files] == [str(mesh)] * 2
    one, other = (
        staged_for(recipe, a_launch(options={"size": size}), tmp_path / "work") for size in (8, 9)
    )
    assert [(each.to.name, each.how) for each in one] == [("mesh.dat", "copy")]
    assert [str(each.to.relative_to(tmp_path)) for each in other] == ["work/mesh.dat", "work/in/it"]
    assert [(each.source, each.how) for each in other][1] == (mesh, "link")


def test_a_run_is_not_resumed_where_an_input_file_has_changed(
    run: RunDirectory, tmp_path: Path, mesh: Path
) -> None:
    recipe = kept(run, a_recipe(tmp_path, f"path: mesh.dat, sha256: {SUM}"))
    require_inputs([recipe], [a_launch()])
    mesh.write_bytes(b"others")
    with pytest.raises(RunError, match=rf"needs the input file {mesh} with SHA-256 {SUM[:12]}"):
        require_inputs([recipe], [a_launch()])
    require_inputs([recipe], [a_launch(benchmark="memory/stream")])  # it reads none
    os.truncate(run.recipes / "small.inputs.json", 3)
    with pytest.raises(RunError, match="is damaged"):
        recipes_of(run)


def test_what_other_entries_read_is_not_asked_for(tmp_path: Path, mesh: Path) -> None:
    del mesh
    recipe = read_recipe(a_recipe(tmp_path, f"path: none, cases: [other], sha256: {SUM}"))
    require_inputs([recipe], [a_launch(options={"size": 8})])
    with pytest.raises(RunError, match="none, which cannot be read"):
        require_inputs([recipe], [a_launch(options={"size": 9})])


def test_no_step_runs_whose_own_input_file_has_changed(mesh: Path) -> None:
    read = (CheckedFile(path=mesh, sha256=SUM),)
    step = a_launch(benchmark="flow/cavity").model_copy(update={"inputs": read})
    require_inputs([], [step])
    mesh.write_bytes(b"others")
    with pytest.raises(RunError, match=rf"needs the input file {mesh} with SHA-256 {SUM[:12]}"):
        require_inputs([], [step])
    mesh.unlink()
    with pytest.raises(RunError, match=rf"{mesh}, which cannot be read"):
        require_inputs([], [step])


def test_a_recipe_without_input_files_keeps_nothing_of_them(
    run: RunDirectory, tmp_path: Path
) -> None:
    (tmp_path / "small.yaml").write_text(with_metrics(RATE))
    recipe = kept(run, tmp_path / "small.yaml")
    assert recipe.input_files == ()
    assert [each.name for each in run.recipes.iterdir()] == ["small.yaml"]
