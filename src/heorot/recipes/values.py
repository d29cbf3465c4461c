"""What the placeholders of a recipe stand for in one of its cases."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from functools import lru_cache

from heorot.errors import UsageError
from heorot.model.point import Scalar
from heorot.model.recipe import Command, Recipe, Shell
from heorot.template import fill, placeholders, resolve

# What a build may ask for, and what a start may.
BUILD_NAMES = frozenset({"cc", "cxx", "fc", "mpicc", "mpicxx", "mpifc", "flags"})
_GRIDS = {"rows", "columns", "px", "py", "pz"}
LAYOUT_NAMES = frozenset({"ranks", "threads", "nodes", "per_node", "cores"} | _GRIDS)
PLACE_NAMES = frozenset({"build", "folder", "installed"})
RESERVED = BUILD_NAMES | LAYOUT_NAMES | PLACE_NAMES


def as_text(value: bool | Scalar) -> str:
    """A value as it stands in a command."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def require_options(recipe: Recipe, options: Mapping[str, bool | Scalar], who: str) -> None:
    """Refuse values that are not those of a case: one is missing, or none is called so.

    Raises:
        UsageError: the program cannot be started so.
    """
    first = recipe.cases[0]
    needed = [name for name in first.set if all(name in case.set for case in recipe.cases)]
    known = {name for case in recipe.cases for name in case.set} | set(recipe.parameters)
    missing = [name for name in needed if name not in options]
    unknown = [name for name in options if name not in known]
    if not (missing or unknown):
        return
    values = {
        name: value[0] if isinstance(value, tuple) else value for name, value in first.set.items()
    }
    shown = ", ".join(f"{name}: {as_text(value)}" for name, value in values.items())
    raise UsageError(
        f"{who}: the recipe {recipe.name} "
        + (f"wants the option `{missing[0]}`" if missing else f"has no option `{unknown[0]}`"),
        f"its case {first.name} has options: {{{shown}}}",
    )


def case_values(
    recipe: Recipe, options: Mapping[str, bool | Scalar], known: Mapping[str, str]
) -> dict[str, str]:
    """The parameters and a case's own values, and what is known besides.

    Only parameters hold placeholders: the values of a case are taken as they are.

    Args:
        known: what the layout, the places or the toolchain stand for.

    Raises:
        ValueError: a name has no value, or values stand for each other in a circle.
    """
    plain = {name: as_text(value) for name, value in options.items()} | dict(known)
    texts = {name: as_text(value) for name, value in recipe.parameters.items() if name not in plain}
    return {**resolve(texts, plain), **plain}


def layout_values(ranks: int, threads: int, nodes: int) -> dict[str, str]:
    """What a layout stands for: its numbers, and the grids of its ranks, square and cubic."""
    rows = _largest_divisor(ranks, math.isqrt(ranks))
    px, py, pz = cubic_grid(ranks)
    numbers = {
        "ranks": ranks,
        "threads": threads,
        "nodes": nodes,
        "per_node": -(-ranks // nodes),
        "cores": ranks * threads,
        "rows": rows,
        "columns": ranks // rows,
        "px": px,
        "py": py,
        "pz": pz,
    }
    return {name: str(number) for name, number in numbers.items()}


def _largest_divisor(number: int, most: int) -> int:
    """The largest divisor of a number that is no larger than another one."""
    return next(n for n in range(most, 0, -1) if number % n == 0)


@lru_cache(maxsize=256)
def cubic_grid(ranks: int) -> tuple[int, int, int]:
    """The grid of ranks in three dimensions whose equal boxes have the least surface.

    Source: ComputeOptimalShapeXYZ of HPCG 3.1 minimises the same sum.
    """
    grids: list[tuple[int, int, int]] = []
    for pz in range(1, round(ranks ** (1 / 3)) + 1):
        if ranks % pz == 0:
            py = _largest_divisor(ranks // pz, math.isqrt(ranks // pz))
            grids.append((ranks // pz // py, py, pz))
    return min(grids, key=lambda grid: grid[0] * grid[1] + grid[1] * grid[2] + grid[0] * grid[2])


def words_of(command: Command, values: Mapping[str, str]) -> tuple[str, ...]:
    """A command as words: a value is never more or less than a part of one.

    But for `{flags}` as a word of its own, which stands for as many as the toolchain has.

    Raises:
        ValueError: a name has no value.
    """
    if isinstance(command, Shell):
        quoted = {name: shlex.quote(value) for name, value in values.items()}
        return ("bash", "-c", fill(command.shell, quoted))
    words: list[str] = []
    for word in shlex.split(command):
        filled = fill(word, values)
        words += shlex.split(filled) if word == "{flags}" else [filled]
    return tuple(words)


def names_in(command: Command) -> tuple[str, ...]:
    """The placeholders of a command."""
    return placeholders(command.shell if isinstance(command, Shell) else command)
