"""Tries a recipe: builds its program, runs one case once, reports the matches of every pattern."""

from __future__ import annotations

import shlex
from contextlib import suppress
from dataclasses import dataclass

from heorot.files import read_regular
from heorot.launch.launchers.in_turn import taken_apart
from heorot.launch.script import OUTPUT_BYTES
from heorot.model.catalogue.benchmark import Case
from heorot.model.quantities import VALUE
from heorot.model.recipe import Recipe
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import SkippedCase, Step
from heorot.model.run.request import Chosen, Request
from heorot.pattern import Match, group_names
from heorot.recipes.declared import declared_number
from heorot.recipes.expand import expand, needed_inputs
from heorot.recipes.output import UnreadableError, layout_of, matches_of, read_output
from heorot.recipes.values import case_values
from heorot.session import conductor
from heorot.session.progress import Progress
from heorot.session.runs import Ended
from heorot.store.directory import RunDirectory


@dataclass(frozen=True)
class Tried:
    """The matches of one pattern of a recipe.

    Attributes:
        what: `metric bandwidth [MB/s]`, `verification residual`.
        matches: in order.
        wanted: whether it should match.
        n_declared: number of values per launch by the recipe; None if not given.
        many: whether several are allowed, by the pattern's groups.
    """

    what: str
    pattern: str
    matches: tuple[Match, ...]
    wanted: bool = True
    n_declared: int | None = None
    many: bool = False


@dataclass(frozen=True)
class Trial:
    """Result of the trial of a recipe.

    Attributes:
        step: the launch, None if it could not be planned or built.
        skipped: why there was no launch.
        commands: started commands, in order.
        tried: matches of every pattern.
        unreadable: why there is no output to match, or empty.
    """

    ended: Ended
    step: Step | None
    outcome: Outcome | None
    skipped: tuple[SkippedCase, ...]
    commands: tuple[str, ...]
    tried: tuple[Tried, ...]
    unreadable: str


def smallest_case(recipe: Recipe, name: str | None, ranks: int | None, threads: int | None) -> Case:
    """The case to try: the requested one or the first, on as few cores as it allows.

    Raises:
        KeyError: there is no entry of that name.
    """
    known = {run.name: run for run in recipe.cases}
    run = recipe.cases[0] if name is None else known[name]
    case = next(expand(run, 1, inputs=needed_inputs(recipe, run.name)))
    ranks, threads = ranks or case.ranks, threads or case.threads
    return case.model_copy(update={"name": run.name, "ranks": ranks, "threads": threads})


def attempt(
    recipe: Recipe, case: Case, request: Request, progress: Progress, *, anyway: bool = False
) -> Trial:
    """Build a recipe's program, run a case once, match every pattern.

    Args:
        request: with its sources, the toolchain, the run directory.
    """
    chosen = Chosen(benchmark=recipe.benchmark, case=case)
    asked = request.model_copy(update={"chosen": chosen})
    ended = conductor.evaluate(asked, progress, anyway=anyway)
    directory = RunDirectory.open(ended.directory)
    plan = ended.evaluation.plan
    steps = {step.id: step for step in ended.evaluation.steps}
    outcome = next(iter(ended.evaluation.outcomes), None)
    step = steps.get(outcome.step) if outcome else None
    if step is None:
        return Trial(ended, None, None, plan.skipped, (), (), "it did not run")
    job = directory.job(directory.job_numbers()[0])
    script = read_regular(job / "script.sh").decode(errors="replace")
    commands = commands_in(script, step)
    try:
        output = read_output(recipe, step, job, OUTPUT_BYTES)
    except (UnreadableError, OSError) as error:
        return Trial(ended, step, outcome, plan.skipped, commands, (), str(error))
    tried = tuple(_try_all(recipe, step, output))
    return Trial(ended, step, outcome, plan.skipped, commands, tried, "")


def commands_in(script: str, step: Step) -> tuple[str, ...]:
    """Commands started by the watching program, in order."""
    text = ""
    for line in script[script.find(f"\nstep {step.id} ") + 1 :].splitlines(keepends=True):
        text += line
        with suppress(ValueError):  # a quoted text continues
            words = shlex.split(text)
            begin = words.index("--", words.index("--benchmark")) + 1
            return tuple(shlex.join(each.words) for each in taken_apart(words[begin:]))
    return ()


def _try_all(recipe: Recipe, step: Step, output: str) -> list[Tried]:
    values = case_values(recipe, step.options, layout_of(step))
    tried = []
    for each in recipe.quantities:
        what, many = f"metric {each.name} [{each.unit}]", group_names(each.pattern) > {VALUE}
        found, n = _found(each.pattern, output), declared_number(each, values)
        tried.append(Tried(what, each.pattern, found, n_declared=n, many=many))
    for one in recipe.verification:
        found = _found(one.pattern, output)
        tried.append(Tried(f"verification {one.name}", one.pattern, found, not one.absent))
    return tried


def _found(pattern: str, output: str) -> tuple[Match, ...]:
    try:
        return tuple(matches_of(pattern, output))
    except UnreadableError:
        return ()
