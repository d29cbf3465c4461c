"""Two runs side by side: of what agrees, only that is read which a comparison rests on."""

from __future__ import annotations

from pathlib import Path

from heorot.analyse.compare.builds import read_builds
from heorot.analyse.compare.runs import compare_runs
from heorot.analyse.compare.side import Side
from heorot.analyse.trust.disturbance import account, disturbed_steps
from heorot.errors import RunError
from heorot.model.analysis.comparison import Comparison
from heorot.session.others.chosen import families_with, recipes_of
from heorot.session.runs import collect_again
from heorot.session.verification.doubts import agreement_of
from heorot.store.atomic import explaining
from heorot.store.directory import RunDirectory
from heorot.store.results import read_judgement
from heorot.store.samples import holds_samples


def compare(a: Path, b: Path) -> Comparison:
    """Hold run b against run a.

    Raises:
        RunError: one is no run, has not ended, is damaged, or does not agree as a whole.
    """
    recipes = {
        recipe.name: recipe for path in (a, b) for recipe in recipes_of(RunDirectory.open(path))
    }
    families = families_with(tuple(recipes.values()))
    known = [benchmark for family in families for benchmark in family.benchmarks]
    (side_a, said_a), (side_b, said_b) = (_read(path) for path in (a, b))
    compared = compare_runs(side_a, side_b, known)
    lines = (*(f"A: {line}" for line in said_a), *(f"B: {line}" for line in said_b))
    return compared.model_copy(update={"disagreements": lines})


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
