"""Input files of programs of others: seen to be those of the recipe before anything runs."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from pydantic import TypeAdapter

from heorot.errors import RecipeError, RunError
from heorot.files import open_regular, real, why_not_read
from heorot.launch.command import Staged
from heorot.model.recipe import InputFile, Recipe
from heorot.model.run.plan import Step
from heorot.recipes.expand import entry_of, is_of
from heorot.recipes.read import line_in
from heorot.store.atomic import write_bytes
from heorot.store.directory import RunDirectory
from heorot.store.documents import read_document

# By name of the recipe: where the file of each checksum is.
Inputs = Mapping[str, dict[str, str]]

_PATHS = TypeAdapter(dict[str, str])


def require_inputs(recipe: Recipe, file: Path) -> None:
    """Refuse a recipe of which an input file is missing, or another one.

    Raises:
        RecipeError: in one line, with that of the input file.
    """
    for number, each in enumerate(recipe.input_files):
        path = _path_of(each, file)
        wrong = _wrong(path, each.sha256)
        if wrong:
            key = "path" if wrong.startswith("cannot") else "sha256"
            line = line_in(file, ("input_files", number, key))
            hint = f"put the file there, or correct `{key}`: sha256sum {shlex.quote(str(path))}"
            raise RecipeError(f"the input file {path} {wrong}", file=file, line=line, hint=hint)


def keep_inputs(directory: RunDirectory, recipe: Recipe, file: Path) -> None:
    """Write into a run where the input files of a recipe are."""
    if recipe.input_files:
        paths = {each.sha256: str(real(_path_of(each, file))) for each in recipe.input_files}
        write_bytes(_kept(directory, recipe), _PATHS.dump_json(paths, indent=1) + b"\n")


def kept_inputs(directory: RunDirectory, recipes: Sequence[Recipe]) -> Inputs:
    """Where the input files of a run's recipes are.

    Raises:
        RunError: that is not known.
    """
    return {
        each.name: read_document(_kept(directory, each), _PATHS)
        for each in recipes
        if each.input_files
    }


def require_kept(directory: RunDirectory, recipes: Sequence[Recipe], steps: Sequence[Step]) -> None:
    """Refuse to run what would find other input files than were there when the run began.

    Raises:
        RunError: one is missing, or another one.
    """
    wanted = {step.benchmark for step in steps}
    used = [each for each in recipes if each.benchmark in wanted]
    for paths in kept_inputs(directory, used).values():
        for checksum, path in paths.items():
            if wrong := _wrong(Path(path), checksum):
                hint = f"put back what it was, or start a new run: sha256sum {shlex.quote(path)}"
                raise RunError(f"the input file {path} {wrong}", hint)


def staged_for(recipe: Recipe, step: Step, paths: Mapping[str, str], folder: Path) -> list[Staged]:
    """What a launch finds in its folder.

    Args:
        paths: where the file of each checksum is.
    """
    entry = entry_of(recipe, step)
    return [
        Staged(source=Path(paths[each.sha256]), to=folder / each.called, how=each.stage)
        for each in recipe.input_files
        if is_of(each.cases, entry)
    ]


def _kept(directory: RunDirectory, recipe: Recipe) -> Path:
    return directory.recipes / f"{recipe.name}.inputs.json"


def _path_of(each: InputFile, recipe: Path) -> Path:
    return recipe.absolute().parent / Path(each.path).expanduser()


def _wrong(path: Path, checksum: str) -> str:
    """Why a file is not the one of a checksum, one clause; empty if it is."""
    try:
        seen = path.stat()
        stamp = (seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
        found = _digest(path, stamp)
    except OSError as error:
        return f"cannot be read: {why_not_read(path, error)}"
    return "" if found == checksum else f"has the checksum {found}, not {checksum}"


@lru_cache(maxsize=1000)
def _digest(path: Path, stamp: tuple[int, ...]) -> str:
    """The checksum of a file, taken once as long as its stamp stays the same."""
    del stamp
    with open_regular(path, follow=True) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
