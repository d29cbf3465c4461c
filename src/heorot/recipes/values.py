"""The values of a recipe's placeholders in one of its cases.

Memory and time may determine a size. Free memory and the calibrated speed of a machine change from
run to run, and sizes that depend on them could not be compared; the calibration only serves to
estimate the time of a launch.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from heorot.errors import UsageError
from heorot.model.catalogue.need import Need
from heorot.model.fill import Fill
from heorot.model.machine.machine import Machine
from heorot.model.machine.pace import Pace
from heorot.model.point import Scalar
from heorot.model.recipe import Command, Recipe, Run, Shell
from heorot.template import fill, placeholders, resolve

# Placeholders of builds, and of starts.
BUILD_NAMES = frozenset({"cc", "cxx", "fc", "mpicc", "mpicxx", "mpifc", "flags"})
_GRIDS = {"rows", "columns", "px", "py", "pz"}
LAYOUT_NAMES = frozenset({"ranks", "threads", "nodes", "per_node", "cores"} | _GRIDS)
PLACE_NAMES = frozenset({"build", "folder", "installed"})
RESERVED = BUILD_NAMES | LAYOUT_NAMES | PLACE_NAMES
_UNKNOWN_MEMORY = 1 << 30
_ROUNDING = 1e-9
# More memory [B] and time [s] than any machine or user has: such a case is skipped as too large.
_MOST_BYTES, _MOST_SECONDS = 1 << 62, 1e11


@dataclass(frozen=True)
class Room:
    """The available memory and time of a launch on each node of a machine.

    Attributes:
        cores: distinct cores that may be used.
        memory_bytes: memory of all its programs together, if nothing else runs there [B].
        pace: calibrated speed of a node; None without calibration.
    """

    cores: int = 1
    memory_bytes: int = _UNKNOWN_MEMORY
    pace: Pace | None = None


@dataclass(frozen=True)
class Layout:
    """The layout of a launch."""

    ranks: int
    threads: int
    nodes: int = 1


def as_text(value: bool | Scalar) -> str:
    """A value as a word of a command."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def require_options(recipe: Recipe, options: Mapping[str, bool | Scalar], who: str) -> None:
    """Refuse options that do not match those of a case: one is missing, or unknown.

    Raises:
        UsageError: the program cannot be started with them.
    """
    first = recipe.cases[0]
    needed = [name for name in first.names if all(name in case.names for case in recipe.cases)]
    known = {name for case in recipe.cases for name in case.names} | set(recipe.parameters)
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
    """The parameters and a case's own values, and the known ones besides.

    Only parameters contain placeholders: the values of a case are taken literally.

    Args:
        known: values of the layout, the paths or the toolchain.

    Raises:
        ValueError: a name has no value, or values refer to each other in a circle.
    """
    plain = {name: as_text(value) for name, value in options.items()} | dict(known)
    texts = {name: as_text(value) for name, value in recipe.parameters.items() if name not in plain}
    return {**resolve(texts, plain), **plain}


def layout_values(ranks: int, threads: int, nodes: int) -> dict[str, str]:
    """Placeholders of a layout: its numbers, and the square and cubic grids of its ranks."""
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
    """The largest divisor of a number that is not above a limit."""
    return next(n for n in range(most, 0, -1) if number % n == 0)


@lru_cache(maxsize=256)
def cubic_grid(ranks: int) -> tuple[int, int, int]:
    """The grid of ranks in three dimensions with the least surface of equal boxes.

    Source: ComputeOptimalShapeXYZ of HPCG 3.1 minimises the same sum.
    """
    grids: list[tuple[int, int, int]] = []
    for pz in range(1, round(ranks ** (1 / 3)) + 1):
        if ranks % pz == 0:
            py = _largest_divisor(ranks // pz, math.isqrt(ranks // pz))
            grids.append((ranks // pz // py, py, pz))
    return min(grids, key=lambda grid: grid[0] * grid[1] + grid[1] * grid[2] + grid[0] * grid[2])


def words_of(command: Command, values: Mapping[str, str]) -> tuple[str, ...]:
    """A command as words: a value is always part of exactly one word.

    Except for `{flags}` as a word of its own, which becomes the words of the toolchain's flags.

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


def room_of(machine: Machine) -> Room:
    """The memory and cores of a launch on each node: the smallest node counts."""
    known = [node.lasting_memory_bytes or _UNKNOWN_MEMORY for node in machine.nodes]
    return Room(machine.node.limits.n_usable_cores, min(known), machine.pace)


def filled(run: Run, layout: Layout, room: Room) -> tuple[dict[str, int], Need]:
    """The size determined by memory and time, if an entry has one, and the needs of a launch."""
    if run.fill is None:
        return {}, Need(memory_bytes=run.memory, seconds=run.time)
    size = _size_of(run, run.fill, layout, room)
    memory, seconds = needs_of(run, run.fill, size, layout, room)
    return {run.fill.value: size}, Need(memory_bytes=memory, seconds=seconds)


def needs_of(run: Run, law: Fill, size: int, layout: Layout, room: Room) -> tuple[int, float]:
    """The needs of a launch of a size: memory of all ranks together [B], and time [s].

    Args:
        law: their scaling with the size.
    """
    n_problems = layout.ranks if law.of == "rank" else 1
    problem = n_problems * law.bytes * float(size) ** law.power
    memory = min(run.memory + math.ceil(problem), _MOST_BYTES)
    if not law.work:
        return memory, run.time
    cores = layout.ranks * layout.threads
    speed = (room.pace or Pace()).speed(cores) * law.rate * _cores(law, layout)
    return memory, min(law.work * float(size) ** law.work_power / speed, _MOST_SECONDS)


def _size_of(run: Run, law: Fill, layout: Layout, room: Room) -> int:
    """The size that fills memory or the time of an entry, whichever is smaller."""
    memory: float = law.share * room.memory_bytes * layout.nodes
    if law.of == "rank":
        memory *= layout.threads / (room.cores * layout.nodes)
    largest: float = (memory / law.bytes) ** (1.0 / law.power)
    if law.work:
        work = run.time * law.rate * _cores(law, layout)
        largest = min(largest, (work / law.work) ** (1.0 / law.work_power))
    largest = min(largest * (1.0 + _ROUNDING), law.most)
    return max(1, math.floor(largest / law.multiple)) * law.multiple


def _cores(law: Fill, layout: Layout) -> int:
    """Cores that work on one problem."""
    return layout.threads * (1 if law.of == "rank" else layout.ranks)
