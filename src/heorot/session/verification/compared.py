"""Two runs side by side, or a run and a published machine: only what that rests on is read."""

from __future__ import annotations

from pathlib import Path

from heorot.analyse.compare.builds import read_builds
from heorot.analyse.compare.published import (
    RunRows,
    compare_published,
    is_published,
    read_published,
)
from heorot.analyse.compare.runs import compare_runs
from heorot.analyse.compare.side import Side
from heorot.analyse.trust.disturbance import account, disturbed_steps
from heorot.errors import RunError, UsageError
from heorot.model.analysis.comparison import Comparison, Letter
from heorot.model.catalogue.benchmark import Benchmark
from heorot.session.others.chosen import families_with, recipes_of
from heorot.session.runs import collect_again
from heorot.session.verification.doubts import agreement_of
from heorot.session.verification.exported import read_table
from heorot.store.atomic import explaining
from heorot.store.directory import RunDirectory
from heorot.store.results import read_judgement
from heorot.store.samples import holds_samples


def compare(a: Path, b: Path) -> Comparison:
    """Hold b against a; one of them may be the file of a published machine.

    Raises:
        RunError: one is no run, has not ended, is damaged, or does not agree as a whole.
        FileError: the file of a published machine is wrong.
        UsageError: there is no run.
    """
    if is_published(a) and is_published(b):
        raise UsageError(
            f"neither {a} nor {b} is a run", "give a run and the file of a published machine"
        )
    if is_published(a):
        return _beside(b, a, "A")
    if is_published(b):
        return _beside(a, b, "B")
    known = _known(a, b)
    (side_a, said_a), (side_b, said_b) = (_read(path) for path in (a, b))
    compared = compare_runs(side_a, side_b, known)
    lines = (*(f"A: {line}" for line in said_a), *(f"B: {line}" for line in said_b))
    return compared.model_copy(update={"disagreements": lines})


def _known(*runs: Path) -> list[Benchmark]:
    """The programs that runs may have, those of others included."""
    recipes = {
        recipe.name: recipe for path in runs for recipe in recipes_of(RunDirectory.open(path))
    }
    families = families_with(tuple(recipes.values()))
    return [benchmark for family in families for benchmark in family.benchmarks]


def _beside(run: Path, file: Path, place: Letter) -> Comparison:
    """A run beside a published machine, which is side `place`."""
    directory = RunDirectory.open(run)
    machine = read_published(file, _known(run))
    rows, lines = read_table(directory)
    one = RunRows(directory.facts().name, directory.machine().system, rows)
    other = "B" if place == "A" else "A"
    compared = compare_published(one, machine, place)
    told = tuple(f"{other}: {line}" for line in lines)
    return compared.model_copy(update={"disagreements": told})


def _read(path: Path) -> tuple[Side, tuple[str, ...]]:
    """A run as a side of a comparison, and lines about what does not agree and is left out."""
    return _read_agreeing(RunDirectory.open(path)) or _analyse(path)


def _read_agreeing(directory: RunDirectory) -> tuple[Side, tuple[str, ...]] | None:
    """A run all files of which agree: numbers from its records, the judgement that is stored.

    None if anything does not agree; then it is analysed again, to say what and to leave that out.
    """
    steps = directory.all_steps()
    agreement = agreement_of(directory, steps)
    if agreement.files is None or not agreement.agrees:
        return None
    collected = collect_again(directory)
    try:
        if not holds_samples(directory.samples_file, collected.series):
            return None
        judgement = read_judgement(directory.results_file)
    except RunError:
        return None
    facts, disturbed = directory.facts(), disturbed_steps(collected.series)
    sampled = {one.step for one in collected.series}
    disturbances = account([step for step in steps if step.id in sampled], disturbed, ())
    update = {"n_results": judgement.n_measured, "n_spoilt": judgement.n_spoilt}
    side = Side(
        name=facts.name,
        system=directory.machine().system,
        series=collected.series,
        results=judgement.refused,
        disturbances=disturbances.model_copy(update=update),
        builds=read_builds(facts, steps, collected.outcomes),
    )
    return side, ()


def _analyse(path: Path) -> tuple[Side, tuple[str, ...]]:
    """A run that is analysed again, without what does not agree."""
    from heorot.session.runs import reopen_agreeing  # noqa: PLC0415 - seldom needed, slow to load

    ended = reopen_agreeing(path)
    evaluation = ended.evaluation
    side = Side(
        name=evaluation.facts.name,
        system=evaluation.machine.system,
        series=ended.series,
        results=evaluation.analysis.results,
        disturbances=evaluation.analysis.disturbances,
        builds=read_builds(evaluation.facts, evaluation.steps, evaluation.outcomes),
    )
    return side, evaluation.disagreements


def write_comparison(comparison: Comparison, out: Path) -> None:
    """Write a comparison as an HTML page.

    Raises:
        SetupError: the file cannot be written.
    """
    from heorot.report.comparison import write_comparison as write  # noqa: PLC0415 - as above

    with explaining(out):
        write(comparison, out)
