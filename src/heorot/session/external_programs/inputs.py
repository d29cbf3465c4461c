"""Input files: their content, checked again when a job begins."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from pydantic import TypeAdapter

from heorot.errors import RunError
from heorot.files import is_missing, open_regular, real, why_not_read
from heorot.launch.command import Staged
from heorot.model.catalogue.need import CheckedFile
from heorot.model.recipe import Recipe
from heorot.model.run.plan import Step
from heorot.plan.offer import FoundFile, wrong_input
from heorot.recipes.expand import entry_of, inputs_of, needed_inputs
from heorot.recipes.read import with_inputs_at
from heorot.store.atomic import write_bytes
from heorot.store.directory import RunDirectory
from heorot.store.documents import read_document

_PATHS = TypeAdapter(dict[str, str])


def look_at(inputs: Iterable[CheckedFile]) -> dict[Path, FoundFile]:
    """The files at the paths of input files."""
    return {path: _look_at(path) for path in sorted({each.path for each in inputs})}


def require_inputs(recipes: Sequence[Recipe], steps: Sequence[Step]) -> None:
    """Refuse launches whose input files are missing or changed.

    Raises:
        RunError: a file is missing, or changed.
    """
    known = {each.benchmark: each for each in recipes}
    own = ((known[step.benchmark], step) for step in steps if step.benchmark in known)
    needed = {
        each for recipe, step in own for each in needed_inputs(recipe, entry_of(recipe, step))
    }
    needed |= {each for step in steps if step.benchmark not in known for each in step.inputs}
    found = look_at(needed)
    for each in sorted(needed, key=lambda each: each.path):
        if wrong := wrong_input(each, found.get(each.path)):
            hint = f"put it there as it was: sha256sum {shlex.quote(str(each.path))}"
            raise RunError(f"a launch needs the input file {each.path}{wrong}", hint)


def keep_inputs(directory: RunDirectory, recipe: Recipe) -> None:
    """Record in a run where the input files of a recipe are."""
    if recipe.input_files:
        paths = {each.sha256: str(real(Path(each.path))) for each in recipe.input_files}
        write_bytes(_kept(directory, recipe), _PATHS.dump_json(paths, indent=1) + b"\n")


def with_kept_inputs(directory: RunDirectory, recipe: Recipe) -> Recipe:
    """A recipe of a run with the recorded paths of its input files.

    Raises:
        RunError: the record in the run is damaged.
    """
    file = _kept(directory, recipe)
    if not recipe.input_files or is_missing(file):
        return recipe
    paths = read_document(file, _PATHS)
    places = [Path(paths.get(each.sha256, each.path)) for each in recipe.input_files]
    return with_inputs_at(recipe, places)


def staged_for(recipe: Recipe, step: Step, folder: Path) -> list[Staged]:
    """Input files in the folder of a launch."""
    return [
        Staged(source=Path(each.path), to=folder / each.called, how=each.stage)
        for each in inputs_of(recipe, entry_of(recipe, step))
    ]


def _kept(directory: RunDirectory, recipe: Recipe) -> Path:
    return directory.recipes / f"{recipe.name}.inputs.json"


def _look_at(path: Path) -> FoundFile:
    try:
        seen = path.stat()
        stamp = (seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
        return FoundFile(sha256=_digest(path, stamp), bytes=seen.st_size)
    except OSError as error:
        return FoundFile(trouble=why_not_read(path, error))


@lru_cache(maxsize=1000)
def _digest(path: Path, stamp: tuple[int, ...]) -> str:
    """The checksum of a file, computed once for each stamp."""
    del stamp
    with open_regular(path, follow=True) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
