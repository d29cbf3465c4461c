"""Errors in a recipe beyond those of single values, with their places."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from heorot.model.catalogue.benchmark import Case
from heorot.model.quantities import REGION, VALUE, Quantity
from heorot.model.recipe import PHASE_TIME, Build, Command, Recipe, Run, Shell
from heorot.pattern import group_names
from heorot.recipes.catalogue import (
    COMMAND_TIME,
    RUN_TIME,
    SOLUTION_RATE,
    WHOLE_RUN,
    coordinates,
)
from heorot.recipes.declared import names_asked, wrong_values
from heorot.recipes.expand import expand, is_of
from heorot.recipes.printed import read_name
from heorot.recipes.values import (
    BUILD_NAMES,
    LAYOUT_NAMES,
    PLACE_NAMES,
    RESERVED,
    case_values,
    names_in,
    words_of,
)
from heorot.template import fill, placeholders
from heorot.units import parse_unit

_MOST_CASES = 1000
# Allowed placeholders other than parameters, by place. The build directory is unknown when output
# is read.
_BUILDS, _STARTS = BUILD_NAMES, LAYOUT_NAMES | PLACE_NAMES
_OUTPUTS, _REGIONS = LAYOUT_NAMES | {"folder"}, LAYOUT_NAMES

Location = tuple[str | int, ...]
_Complaint = tuple[Location, str]
# The place of texts with placeholders, the placeholders, and those allowed besides the case's own.
_Text = tuple[Location, tuple[str, ...], frozenset[str]]


def complaints(recipe: Recipe) -> Iterator[_Complaint]:
    """Errors of a recipe with their places: keys and numbers of entries, the outermost first."""
    yield from _doubles(recipe)
    yield from _names_taken(recipe)
    yield from _missing_start(recipe)
    yield from _unknown_entries(recipe)
    yield from _wrong_numbers(recipe)
    yield from _wrong_cases(recipe)
    texts = list(_texts(recipe))
    for number, run in enumerate(recipe.cases):
        yield from _missing_values(recipe, number, run, texts)
        for case in expand(run, 1):
            yield from _leading_out(recipe, case)
    for number, quantity in enumerate(recipe.metrics):
        yield from _wrong_place(("metrics", number), recipe, quantity)
    yield from _wrong_phases(recipe)
    yield from _wrong_size(recipe)


def _doubles(recipe: Recipe) -> Iterator[_Complaint]:
    named: tuple[tuple[str, Sequence[str]], ...] = (
        ("cases", [run.name for run in recipe.cases]),
        ("executables", [each.name for each in recipe.executables]),
        ("input_files", [each.called for each in recipe.input_files]),
        ("verification", [each.name for each in recipe.verification]),
    )
    for key, names in named:
        for name, n in Counter(names).items():
            if n > 1:
                last = len(names) - 1 - names[::-1].index(name)
                yield (key, last, "name"), f"a second one of the name `{name}`"
    known: dict[str, Quantity] = {}
    for number, quantity in enumerate(recipe.metrics):
        first = known.setdefault(quantity.name, quantity)
        if (first.unit, first.better) != (quantity.unit, quantity.better):
            message = f"`{quantity.name}` has another unit or direction above"
            yield ("metrics", number, "name"), message


def _names_taken(recipe: Recipe) -> Iterator[_Complaint]:
    for name in recipe.parameters:
        if name in RESERVED:
            yield ("parameters", name), f"`{name}` stands for something else"
    for number, run in enumerate(recipe.cases):
        for name in run.set:
            if name in RESERVED:
                yield ("cases", number, "set", name), f"`{name}` stands for something else"
        if run.fill and run.fill.value in RESERVED | run.set.keys():
            message = f"`{run.fill.value}` stands for something else"
            yield ("cases", number, "fill", "value"), message
    for number, quantity in enumerate(recipe.metrics):
        if quantity.name in {RUN_TIME, COMMAND_TIME, PHASE_TIME, SOLUTION_RATE}:
            yield ("metrics", number, "name"), f"`{quantity.name}` is measured anyway"
        if quantity.region == WHOLE_RUN:
            yield ("metrics", number, "region"), f"`{WHOLE_RUN}` is measured anyway"


def _missing_start(recipe: Recipe) -> Iterator[_Complaint]:
    if recipe.build and recipe.installed:
        yield ("installed",), "a program is built or installed, not both"
    if recipe.command and recipe.executables:
        yield ("executables",), "a launch has a `command` or several `executables`, not both"
    if not recipe.commands:
        yield (), "`command` is missing"
    for at, each in _commands(recipe):
        asks = "installed" in names_in(each)
        if asks and recipe.installed is None:
            yield at, "`{installed}` has no value here: the key `installed` is missing"
        if not asks and not isinstance(each, Shell) and recipe.installed:
            yield at, "must begin with `{installed}`: there is no build"


def _commands(recipe: Recipe) -> Iterator[tuple[Location, Command]]:
    """All commands, and where they stand."""
    for number, each in enumerate(recipe.commands):
        at: Location = ("executables", number, "command") if recipe.executables else ("command",)
        yield at, each.command


def _unknown_entries(recipe: Recipe) -> Iterator[_Complaint]:
    """References to unknown entries of `cases`, and entries without an executable."""
    entries = {run.name for run in recipe.cases}
    lists: tuple[tuple[str, Sequence[tuple[str, ...]]], ...] = (
        ("executables", [each.cases for each in recipe.executables]),
        ("input_files", [each.cases for each in recipe.input_files]),
        ("metrics", [each.cases for each in recipe.metrics]),
    )
    for key, several in lists:
        for number, names in enumerate(several):
            for name in names:
                if name not in entries:
                    yield (key, number, "cases"), f"there is no case `{name}`"
    known = {name for run in recipe.cases for name in run.names}
    for number, name in enumerate(recipe.problem or ()):
        if name not in known:
            yield ("problem", number), f"no case has `{name}`"
    for number, run in enumerate(recipe.cases):
        if recipe.executables and not any(is_of(each.cases, run.name) for each in recipe.commands):
            yield ("cases", number), f"no executable is run by the case `{run.name}`"


def _wrong_numbers(recipe: Recipe) -> Iterator[_Complaint]:
    """Numbers that are not finite, and checks without a number."""
    for number, each in enumerate(recipe.verification):
        for key, value in (("expected", each.expected), ("tolerance", each.tolerance)):
            if not math.isfinite(value):
                yield ("verification", number, key), f"`{key}` is not finite"
        if each.equals and (each.absent or not each.has_value):
            yield ("verification", number, "equals"), "needs a group (?P<value>...) in a pattern"
    for number, run in enumerate(recipe.cases):
        for name, several in run.set.items():
            values = several if isinstance(several, tuple) else (several,)
            if any(isinstance(each, float) and not math.isfinite(each) for each in values):
                yield ("cases", number, "set", name), f"`{name}` is not finite"


def _wrong_cases(recipe: Recipe) -> Iterator[_Complaint]:
    """Entries that make no case, too many cases, or a case of another entry."""
    n_cases = 0
    names: set[str] = set()
    for number, run in enumerate(recipe.cases):
        lists: dict[Location, object] = {("ranks",): run.ranks, ("threads",): run.threads}
        lists |= {("set", name): value for name, value in run.set.items()}
        sizes = {at: len(each) for at, each in lists.items() if isinstance(each, tuple)}
        for at, size in sizes.items():
            if size == 0:
                yield ("cases", number, *at), "an empty list makes no case"
        n_cases += math.prod(sizes.values())
        if n_cases > _MOST_CASES:
            yield ("cases", number), f"these are more than {_MOST_CASES} cases"
        for case in expand(run, 1):
            if case.name in names:
                yield ("cases", number), f"a second case would have the name `{case.name}`"
            names.add(case.name)


def _wrong_phases(recipe: Recipe) -> Iterator[_Complaint]:
    """Phases with equal names, or without times."""
    if recipe.phases is None:
        return
    groups = group_names(recipe.phases.pattern)
    if groups != {REGION, VALUE}:
        yield ("phases", "pattern"), "needs the groups `region` and `value`, and no other"
    if parse_unit(recipe.phases.unit)[0] != "s":
        yield ("phases", "unit"), f"`{recipe.phases.unit}` is no unit of time"
    names = [read_name(name) for name in recipe.phases.names]
    for number, name in enumerate(names):
        if name in {*names[:number], WHOLE_RUN}:
            yield ("phases", "names", number), f"a second one of the name `{name}`"


def _wrong_size(recipe: Recipe) -> Iterator[_Complaint]:
    """A coordinate that does not exist, or has values without an order."""
    if recipe.size is None:
        return
    coordinate, order = recipe.size.coordinate, recipe.size.order
    if coordinate not in coordinates(recipe).union(*(run.names for run in recipe.cases)):
        yield ("size", "coordinate"), f"no case and no pattern has `{coordinate}`"
    for number, run in enumerate(recipe.cases):
        value = run.set.get(coordinate, ())
        for each in value if isinstance(value, tuple) else (value,):
            if order and str(each) not in order:
                yield ("size", "order"), f"`{each}` is not in the order"
            if not order and isinstance(each, str):
                at = ("cases", number, "set", coordinate)
                yield at, f"`{each}` is no number: add `order:` to `size`"


def _missing_values(
    recipe: Recipe, number: int, run: Run, texts: Sequence[_Text]
) -> Iterator[_Complaint]:
    """Placeholders that have no value in a case."""
    case = next(expand(run, 1))
    at: Location = ("cases", number)
    try:
        own = case_values(recipe, case.options, {})
    except ValueError as error:
        where: Location = ("parameters",) if recipe.parameters else at
        yield where, str(error)
        return
    for location, asked, known in texts:
        for name in asked:
            if name not in known and name not in own:
                yield location, f"`{{{name}}}` has no value in the case `{run.name}`"


def _leading_out(recipe: Recipe, case: Case) -> Iterator[_Complaint]:
    """Paths that leave the program's folder after replacement of placeholders."""
    values = case_values(recipe, case.options, dict.fromkeys(RESERVED, "1"))
    paths: list[tuple[Location, str]] = [(("files", name), name) for name in recipe.files]
    if recipe.build:
        paths += [(("build", "files", name), name) for name in recipe.build.files]
    if recipe.output:
        paths.append((("output",), recipe.output))
    filled = [(location, fill(path, values)) for location, path in paths]
    for at, command in _commands(recipe):
        if not isinstance(command, Shell):
            filled.append((at, words_of(command, values)[0]))
    for location, text in filled:
        path = PurePosixPath(text)
        if path.is_absolute() or ".." in path.parts or not path.parts:
            yield location, f"`{text}` is no path inside the program's own folder"


def _texts(recipe: Recipe) -> Iterator[_Text]:
    if recipe.build:
        yield from _build_texts(recipe.build)
    for at, command in _commands(recipe):
        yield at, names_in(command), _STARTS
    for name, text in recipe.files.items():
        yield ("files", name), (*placeholders(name), *placeholders(text)), _STARTS
    for name, text in recipe.environment.items():
        yield ("environment", name), placeholders(text), _STARTS
    yield ("output",), placeholders(recipe.output), _OUTPUTS
    for number, quantity in enumerate(recipe.metrics):
        yield ("metrics", number, "region"), placeholders(quantity.region), _REGIONS
        yield ("metrics", number, "values"), names_asked(quantity), _REGIONS
    for number, wanted in enumerate(recipe.verification):
        yield ("verification", number, "equals"), placeholders(wanted.equals), _REGIONS
    for quantity in recipe.quantities[len(recipe.metrics) :]:
        yield ("phases", "names"), names_asked(quantity), _REGIONS


def _build_texts(build: Build) -> Iterator[_Text]:
    for number, step in enumerate(build.steps):
        yield ("build", "steps", number), names_in(step), _BUILDS
    for name, text in build.files.items():
        yield ("build", "files", name), (*placeholders(name), *placeholders(text)), _BUILDS


def _wrong_place(at: Location, recipe: Recipe, quantity: Quantity) -> Iterator[_Complaint]:
    """A metric with two sources of its region, or a path with an unknown placeholder."""
    groups = group_names(quantity.pattern)
    for message in wrong_values(recipe, quantity):
        yield (*at, "values"), message
    if REGION in groups and quantity.region != "program":
        yield (*at, "region"), "the pattern has a group `region` already"
    if quantity.beside is None:
        return
    texts: dict[Location, str] = {
        ("benchmark",): quantity.beside.benchmark,
        ("region",): quantity.beside.region,
        ("metric",): quantity.beside.metric,
        **{("point", name): text for name, text in quantity.beside.point.items()},
    }
    known = {*groups, REGION, *recipe.parameters}.union(*(run.names for run in recipe.cases))
    for key, text in texts.items():
        for name in placeholders(text):
            if name not in known:
                yield (*at, "beside", *key), f"`{{{name}}}` has no value here"
