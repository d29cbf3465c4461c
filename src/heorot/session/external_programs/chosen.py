"""The third-party programs of a run: requested recipes, their copies in the run, their family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from heorot.errors import RecipeError, UsageError
from heorot.families import BENCHMARKS, FAMILIES
from heorot.families.others import family_of
from heorot.files import leads_nowhere, read_regular, real
from heorot.model.catalogue.family import Family
from heorot.model.machine.site import Site
from heorot.model.recipe import FAMILY, Recipe
from heorot.model.run.request import Request
from heorot.recipes.read import find, read_recipe, shipped
from heorot.session.external_programs.inputs import keep_inputs, with_kept_inputs
from heorot.store.atomic import write_bytes
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest
from heorot.template import placeholders


def families_with(recipes: Sequence[Recipe]) -> tuple[Family, ...]:
    """Heorot's own families, then the family of third-party programs, if any."""
    return (*FAMILIES, family_of(recipes)) if recipes else FAMILIES


def sources_of(request: Request, site: Site) -> dict[str, Path]:
    """Directories of the sources of third-party programs: of the user, else of the site.

    Raises:
        UsageError: a path of the user is no directory.
    """
    for name, path in request.sources.items():
        if not path.is_dir():
            hint = f"give the directory of its sources: --source {name}=DIR"
            there = leads_nowhere(path) or "there is no such directory"
            what = "it is no directory" if path.exists() else there
            raise UsageError(f"--source {name}={path}: {what}", hint)
    return {**site.sources, **request.sources}


def wanted_files(request: Request) -> dict[str, Path]:
    """The requested recipes: by name of the program, each with its file.

    Raises:
        UsageError: a recipe does not exist, or two have the same name.
        RecipeError: one is invalid.
    """
    names = [*request.recipes, *request.sources]
    asked = [*request.only, *([request.chosen.benchmark] if request.chosen else [])]
    names += [
        name
        for each in asked
        if (name := each.removeprefix(f"{FAMILY}/")) != each and name in shipped()
    ]
    files: dict[str, Path] = {}
    for name in dict.fromkeys(names):
        if name in files:  # sources of a recipe given as a file
            continue
        file = find(name)
        recipe = read_recipe(file)
        _require_known(recipe, file)
        own = recipe.name
        if own in files and real(files[own]) != real(file):
            raise UsageError(f"two recipes of the name {own}: {files[own]}, {file}", "rename one")
        files[own] = file
    return files


def _require_known(recipe: Recipe, file: Path) -> None:
    """Refuse bounds and programs for comparison that Heorot does not measure."""
    limits = {each.name for benchmark in BENCHMARKS for each in benchmark.publishes}
    programs = {benchmark.name for benchmark in BENCHMARKS}
    for quantity in recipe.metrics:
        if quantity.ceiling and quantity.ceiling not in limits:
            message = f"`{quantity.name}` has the unknown bound `{quantity.ceiling}`"
            hint = f"there are: {', '.join(sorted(limits))}"
            raise RecipeError(message, file=file, hint=hint)
        beside = quantity.beside
        if beside and not placeholders(beside.benchmark) and beside.benchmark not in programs:
            message = f"`{quantity.name}` is compared with the unknown program `{beside.benchmark}`"
            raise RecipeError(message, file=file, hint=f"{suggest('list')} shows all programs")


def keep(directory: RunDirectory, files: Mapping[str, Path]) -> None:
    """Copy the recipes into the run, so that it can be read without their files."""
    for name, file in files.items():
        directory.recipes.mkdir(exist_ok=True)
        write_bytes(directory.recipes / f"{name}.yaml", read_regular(file, follow=True))
        keep_inputs(directory, read_recipe(file))


def recipes_of(directory: RunDirectory) -> tuple[Recipe, ...]:
    """The recipes of a run.

    Raises:
        RecipeError: one is damaged.
        RunError: the record of its input files is damaged.
    """
    files = sorted(directory.recipes.glob("*.yaml"))
    return tuple(with_kept_inputs(directory, read_recipe(file, follow=False)) for file in files)
