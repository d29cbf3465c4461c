"""Input files are those of the recipe before anything runs, first or when a run is resumed."""

from __future__ import annotations

import hashlib
import os
import signal
from pathlib import Path

import pytest

from heorot.cli.main import main
from heorot.errors import RecipeError, RunError
from heorot.model.recipe import Recipe
from heorot.model.run.request import Request
from heorot.recipes.read import read_recipe
from heorot.session.others.chosen import keep, recipes_of, wanted_files
from heorot.session.others.inputs import kept_inputs, require_kept, staged_for
from heorot.store.directory import RunDirectory
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


def refused(file: Path) -> str:
    with pytest.raises(RecipeError) as caught:
        wanted_files(Request(recipes=(str(file),)))
    assert caught.value.hint
    line = file.read_text()[: file.read_text().index("  - {path:")].count("\n") + 1
    assert str(caught.value).startswith(f"{file}:{line}: the input file ")
    return str(caught.value).partition(": the input file ")[2]


def test_a_wrong_checksum_is_refused_with_both(tmp_path: Path, mesh: Path) -> None:
    file = a_recipe(tmp_path, f"path: mesh.dat, sha256: {'f' * 64}")
    assert refused(file) == f"{mesh} has the checksum {SUM}, not {'f' * 64}"


def test_a_file_that_changes_is_looked_at_again(tmp_path: Path, mesh: Path) -> None:
    file = a_recipe(tmp_path, f"path: mesh.dat, sha256: {SUM}")
    assert wanted_files(Request(recipes=(str(file),))) == {"small": file}
    mesh.write_bytes(MESH.replace(b"8", b"9"))  # as long as it was
    assert "has the checksum" in refused(file)
    mesh.unlink()
    assert refused(file) == f"{mesh} cannot be read: No such file or directory"
    mesh.mkdir()
    assert refused(file) == f"{mesh} cannot be read: it is a directory"


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
    assert said[0].endswith(f"the input file {mesh} has the checksum {SUM}, not {'f' * 64}")
    assert said[1].startswith("hint: ")
    assert said[2:] == []
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
    paths = kept_inputs(run, [recipe])["small"]
    assert paths == {SUM: str(mesh)}
    one, other = (
        staged_for(recipe, a_launch(options={"size": size}), paths, tmp_path / "work")
        for size in (8, 9)
    )
    assert [(each.to.name, each.how) for each in one] == [("mesh.dat", "copy")]
    assert [str(each.to.relative_to(tmp_path)) for each in other] == ["work/mesh.dat", "work/in/it"]
    assert [(each.source, each.how) for each in other][1] == (mesh, "link")


def test_a_run_is_not_gone_on_with_where_an_input_file_has_changed(
    run: RunDirectory, tmp_path: Path, mesh: Path
) -> None:
    recipe = kept(run, a_recipe(tmp_path, f"path: mesh.dat, sha256: {SUM}"))
    require_kept(run, [recipe], [a_launch()])
    mesh.write_bytes(b"others")
    with pytest.raises(RunError, match=rf"the input file {mesh} has the checksum \w+, not {SUM}"):
        require_kept(run, [recipe], [a_launch()])
    require_kept(run, [recipe], [a_launch(benchmark="memory/stream")])  # it reads none
    os.truncate(run.recipes / "small.inputs.json", 3)
    with pytest.raises(RunError, match="is damaged"):
        require_kept(run, [recipe], [a_launch()])


def test_a_recipe_without_input_files_keeps_nothing_of_them(
    run: RunDirectory, tmp_path: Path
) -> None:
    (tmp_path / "small.yaml").write_text(with_metrics(RATE))
    assert read_recipe(tmp_path / "small.yaml").input_files == ()
    recipe = kept(run, tmp_path / "small.yaml")
    assert kept_inputs(run, [recipe]) == {}
    assert [each.name for each in run.recipes.iterdir()] == ["small.yaml"]
