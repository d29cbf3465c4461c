"""Reads the parts of a run that comparisons need, each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from heorot.analyse.compare.builds import read_builds
from heorot.analyse.compare.side import Side
from heorot.analyse.validity.disturbance import account, disturbed_steps
from heorot.errors import RunError
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.family import Family
from heorot.session.external_programs.chosen import families_with, recipes_of
from heorot.session.runs import collect_again
from heorot.session.verification.disagreements import agreement_of
from heorot.session.verification.machines import Described, describe
from heorot.store.directory import RunDirectory
from heorot.store.results import read_judgement
from heorot.store.samples import holds_samples


def known_families(*runs: Path) -> Sequence[Family]:
    """The families of the programs of runs, third-party ones included."""
    recipes = {
        recipe.name: recipe for path in runs for recipe in recipes_of(RunDirectory.open(path))
    }
    return families_with(tuple(recipes.values()))


def known_programs(*runs: Path) -> list[Benchmark]:
    """The programs of runs, third-party ones included."""
    return [each for family in known_families(*runs) for each in family.benchmarks]


@dataclass(frozen=True)
class ReadRun:
    """A run as a side of a comparison.

    Attributes:
        disagreements: lines about parts that do not agree and are left out.
    """

    side: Side
    described: Described
    disagreements: tuple[str, ...] = ()


def read_run(path: Path) -> ReadRun:
    """Read the parts of a run that comparisons need.

    Raises:
        RunError: it is no run, has not ended, is damaged, or does not agree as a whole.
    """
    directory = RunDirectory.open(path)
    return _read_agreeing(directory) or _analyse(directory)


def _read_agreeing(directory: RunDirectory) -> ReadRun | None:
    """A run whose files all agree: numbers from its records, the stored verdict.

    None if a file does not agree; then the run is analysed again, to list and leave out such parts.
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
    described = describe(directory)
    sampled = {one.step for one in collected.series}
    disturbances = account([step for step in steps if step.id in sampled], disturbed, ())
    update = {"n_results": judgement.n_measured, "n_spoilt": judgement.n_spoilt}
    side = Side(
        name=facts.name,
        system=described.machine.system,
        series=collected.series,
        results=judgement.refused,
        disturbances=disturbances.model_copy(update=update),
        builds=read_builds(facts, steps, collected.outcomes),
        crowded=described.crowded(collected.outcomes),
    )
    return ReadRun(side, described)


def _analyse(directory: RunDirectory) -> ReadRun:
    """A run analysed again, without parts that do not agree."""
    from heorot.session.runs import reopen_agreeing  # noqa: PLC0415 - seldom needed, slow to load

    ended = reopen_agreeing(directory.path)
    evaluation, described = ended.evaluation, describe(directory)
    side = Side(
        name=evaluation.facts.name,
        system=evaluation.machine.system,
        series=ended.series,
        results=evaluation.analysis.results,
        disturbances=evaluation.analysis.disturbances,
        builds=read_builds(evaluation.facts, evaluation.steps, evaluation.outcomes),
        crowded=described.crowded(evaluation.outcomes),
    )
    return ReadRun(side, described, evaluation.disagreements)
