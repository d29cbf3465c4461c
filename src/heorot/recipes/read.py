"""Reads recipes: the shipped ones by name, those of users by file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heorot.document import records
from heorot.document.records import Sort, read_file
from heorot.document.tree import find_line
from heorot.errors import RecipeError, UsageError
from heorot.files import is_missing
from heorot.model.recipe import Recipe
from heorot.recipes.complaints import complaints
from heorot.suggestion import nearest, suggest

_HINT = "docs/recipes.md explains every key"
_SORT = Sort(Recipe, RecipeError, "command", 1 << 16, _HINT)
_SHIPPED = Path(__file__).parent / "shipped"


def shipped() -> dict[str, Path]:
    """The recipes that come with Heorot: name -> file."""
    return {path.stem: path for path in sorted(_SHIPPED.glob("*/*.yaml"))}


def find(name: str) -> Path:
    """The file of a recipe: a shipped one by name, else the file itself.

    Raises:
        UsageError: there is neither.
    """
    known = shipped()
    if name in known:
        return known[name]
    path = Path(name)
    if "/" in name or path.suffix in {".yaml", ".yml"} or not is_missing(path):
        return path
    near = nearest(name, known)
    hint = f"did you mean {near}?" if near else f"{suggest('recipe', 'list')} shows them"
    raise UsageError(f"there is no recipe '{name}'", hint)


def text_of(file: Path) -> str:
    """The text of a recipe's file.

    Raises:
        RecipeError: it cannot be read.
    """
    return records.text_of(file, _SORT)


def read_recipe(file: Path, *, follow: bool = True) -> Recipe:
    """Read and validate a recipe; the paths of its input files become absolute.

    Args:
        follow: whether it may be reached by a link.

    Raises:
        RecipeError: it cannot be read, has an unknown key or an invalid value, or a placeholder
            without a value.
    """
    recipe, tree = read_file(file, _SORT, follow=follow)
    for location, message in complaints(recipe):
        raise RecipeError(message, file=file, line=find_line(tree, location), hint=_HINT)
    folder = file.absolute().parent
    return with_inputs_at(recipe, [folder / _at_home(each.path) for each in recipe.input_files])


def with_inputs_at(recipe: Recipe, paths: Sequence[Path]) -> Recipe:
    """A recipe with its input files at other paths.

    Args:
        paths: of each.
    """
    pairs = zip(recipe.input_files, paths, strict=True)
    files = (each.model_copy(update={"path": str(path)}) for each, path in pairs)
    return recipe.model_copy(update={"input_files": tuple(files)})


def _at_home(path: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError:  # there is no such user
        return Path(path)
