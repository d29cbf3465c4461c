"""The cases of a recipe on a machine: each combination of lists and spreads is a case."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from heorot.model.catalogue.benchmark import Case, OverNodes, Profile
from heorot.model.catalogue.need import CheckedFile
from heorot.model.machine.machine import Machine
from heorot.model.point import Scalar
from heorot.model.recipe import InputFile, Recipe, Run, Spread
from heorot.model.run.plan import Step
from heorot.recipes.values import Layout, Room, as_text, filled, needs_of, room_of

_LONGEST_NAME = 100


def cases_of(recipe: Recipe) -> Callable[[Machine, Profile], tuple[Case, ...]]:
    """Which cases a profile runs on a machine."""

    def cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
        cores = machine.node.limits.n_usable_cores
        return tuple(
            case
            for run in recipe.cases
            if profile in run.profiles
            for case in expand(
                run, cores, inputs=needed_inputs(recipe, run.name), room=room_of(machine)
            )
        )

    return cases


def complete(recipe: Recipe) -> Callable[[Machine, Case], Case]:
    """A case chosen by a user, completed from the recipe's first case."""

    def estimate(machine: Machine, chosen: Case) -> Case:
        first = next(expand(recipe.cases[0], machine.node.limits.n_usable_cores))
        update: dict[str, object] = {"options": {**first.options, **chosen.options}}
        if not chosen.needs.memory_bytes:  # else it is one of the recipe's own
            entry = _entry(recipe, chosen.name, first.options | chosen.options)
            own = {
                "shared_cores": chosen.needs.shared_cores,
                "inputs": needed_inputs(recipe, entry),
                **_needs_of_chosen(recipe, chosen, room_of(machine)),
            }
            update["needs"] = first.needs.model_copy(update=own)
        return chosen.model_copy(update=update)

    return estimate


def _needs_of_chosen(recipe: Recipe, chosen: Case, room: Room) -> dict[str, int | float]:
    """Memory and time of a size chosen by a user, if an entry has a scaling law for them."""
    layout = Layout(chosen.ranks, chosen.threads, chosen.nodes)
    for run in recipe.cases:
        size = chosen.options.get(run.fill.value) if run.fill else None
        if run.fill and isinstance(size, int) and size > 0:
            memory, seconds = needs_of(run, run.fill, size, layout, room)
            return {"memory_bytes": memory, "seconds": seconds}
    return {}


def cases_over_nodes(recipe: Recipe) -> OverNodes | None:
    """Which cases a profile runs on several nodes; None for a program without MPI."""
    if recipe.mpi == "none":
        return None

    def cases(
        machine: Machine, profile: Profile, nodes: int, per_node: Sequence[int] = ()
    ) -> tuple[Case, ...]:
        cores = machine.node.limits.n_usable_cores
        return tuple(
            case
            for run in recipe.cases
            if profile in run.profiles and nodes <= (run.most_nodes or nodes)
            for case in expand(
                run,
                cores,
                nodes,
                needed_inputs(recipe, run.name),
                per_node,
                room=room_of(machine),
            )
        )

    return cases


def is_of(cases: Sequence[str], entry: str) -> bool:
    """Whether an object applies to the launches of an entry of `cases`.

    Args:
        cases: its entries; none means all.
    """
    return not cases or entry in cases


def inputs_of(recipe: Recipe, entry: str) -> tuple[InputFile, ...]:
    """The input files that the launches of an entry of `cases` read."""
    return tuple(each for each in recipe.input_files if is_of(each.cases, entry))


def needed_inputs(recipe: Recipe, entry: str) -> tuple[CheckedFile, ...]:
    """The same as requirements of a case."""
    return tuple(
        CheckedFile(
            path=Path(each.path),
            sha256=each.sha256,
            bytes=each.bytes,
            copied=each.stage == "copy",
        )
        for each in inputs_of(recipe, entry)
    )


def entry_of(recipe: Recipe, step: Step) -> str:
    """The name of the entry of `cases` to which a launch belongs.

    By its values, since users may choose some, then by the name of its case.
    """
    return _entry(recipe, step.case, step.options)


def _entry(recipe: Recipe, case: str, options: Mapping[str, bool | Scalar]) -> str:
    values = {name: as_text(value) for name, value in options.items()}

    def likeness(run: Run) -> tuple[int, int]:
        several = {
            name: each if isinstance(each, tuple) else (each,) for name, each in run.set.items()
        }
        n_alike = sum(
            values[name] in map(as_text, wanted)
            for name, wanted in several.items()
            if name in values
        )
        named = case == run.name or case.startswith(f"{run.name}_")
        return n_alike, len(run.name) if named else 0

    return max(recipe.cases, key=likeness).name


def expand(
    run: Run,
    cores: int,
    nodes: int = 1,
    inputs: tuple[CheckedFile, ...] = (),
    per_node: Sequence[int] = (),
    *,
    room: Room | None = None,
) -> Iterator[Case]:
    """All cases of one entry of a recipe.

    Args:
        cores: distinct cores available on a node.
        nodes: with several nodes, each number of threads has one case: on as many cores as it can
            use, with as many ranks on each node.
        inputs: input files of its launches.
        per_node: numbers of ranks per node where `ranks` leaves the choice; empty for the largest.
        room: available memory and time of a launch on each node; None for a small node.
    """
    for values in _values(run):
        varied = [values[name] for name, value in run.set.items() if isinstance(value, tuple)]
        for ranks, threads in _layouts(run, cores, nodes, per_node):
            own, needs = filled(run, Layout(ranks, threads, nodes), room or Room(cores))
            words = [run.name, *map(as_text, varied)]
            words += [f"r{ranks}"] if not isinstance(run.ranks, int) else []
            words += [f"t{threads}"] if not isinstance(run.threads, int) else []
            words += [f"n{nodes}"] if nodes > 1 else []
            name = re.sub(r"[^A-Za-z0-9_+#.-]", "-", "_".join(words))
            yield Case(
                name=name[:_LONGEST_NAME],
                options={**values, **own},
                fitted=tuple(own),
                ranks=ranks,
                threads=threads,
                nodes=nodes,
                needs=needs.model_copy(update={"inputs": inputs}),
                priority=run.priority,
            )


def _layouts(
    run: Run, cores: int, nodes: int, per_node: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Ranks and threads of each."""
    if nodes == 1:
        yield from itertools.product(_numbers(run.ranks, cores), _numbers(run.threads, cores))
        return
    for threads in _numbers(run.threads, cores):
        even = [ranks for ranks in _numbers(run.ranks, nodes * cores) if ranks % nodes == 0]
        fitting = [ranks for ranks in even if ranks * threads <= nodes * cores]
        if per_node and not isinstance(run.ranks, int):
            yield from ((nodes * n, threads) for n in per_node if nodes * n in fitting)
        elif even:
            yield max(fitting or even[:1]), threads


def _values(run: Run) -> Iterator[dict[str, Scalar]]:
    lists = [value if isinstance(value, tuple) else (value,) for value in run.set.values()]
    for chosen in itertools.product(*lists):
        yield dict(zip(run.set, chosen, strict=True))


def _numbers(spread: Spread, cores: int) -> tuple[int, ...]:
    """The numbers of ranks or threads of a spread, in increasing order."""
    if isinstance(spread, int):
        return (spread,)
    if spread == "all":
        return (cores,)
    if isinstance(spread, tuple):
        return tuple(dict.fromkeys(cores if each == "all" else each for each in spread))
    if spread == "squares":
        return tuple(n * n for n in range(1, math.isqrt(cores) + 1))
    powers = [1 << i for i in range(cores.bit_length())]
    if spread == "powers_of_two":
        return tuple(powers)
    return tuple(dict.fromkeys([*powers, cores]))
