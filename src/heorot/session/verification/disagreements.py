"""Parts of a run that are not compared: files that contradict their digests, or each other."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from heorot.errors import RunError
from heorot.model.run.agreement import Agreement, name_some
from heorot.model.run.identity import Setup
from heorot.model.run.plan import Step, networks_of
from heorot.model.run.series import Series
from heorot.printable import printable
from heorot.recipes.output import output_file
from heorot.session.external_programs.chosen import recipes_of
from heorot.session.verification.differences import series_differences
from heorot.store.digests import DIGESTS, check_digests, remove_digests, write_digests
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest

# Without these files the others have no meaning.
_WHOLE = frozenset({"run.json", "plan.json", "machine.json", "steps.json", "dropped.json"})
_LONGEST = 100  # characters of a name from a file
_OF_A_STEP = frozenset({"records", "outputs", "work"})


@dataclass(frozen=True)
class Disagreements:
    """Disagreements between the files of a run.

    Attributes:
        lines: one for each type of disagreement, and one if there are no digests.
        cases: whose results are not compared.
        jobs: names of jobs whose times are not reported.
        whole: why nothing of the run is compared; empty if something is.
        agrees: whether all files agree.
    """

    lines: tuple[str, ...]
    cases: frozenset[Setup]
    jobs: frozenset[str]
    whole: str
    agrees: bool

    @property
    def left_out(self) -> tuple[str, ...]:
        """A line about cases left out of comparisons, if any."""
        names = (*_names(self.cases), *sorted(self.jobs))
        return (f"left out for that: {name_some(names)}",) if names else ()


def conclude_digests(directory: RunDirectory, steps: Sequence[Step] = ()) -> None:
    """Write the digests of a run whose other files are complete.

    Args:
        steps: launches whose output files of third-party programs are included.
    """
    write_digests(directory.path, _figures(directory, steps))


def resume_concluded(directory: RunDirectory, agreement: Agreement) -> None:
    """Resume a concluded run: its digests are removed, and written again at its end.

    Raises:
        RunError: it has changed since, which new digests would hide.
        SetupError: its directory cannot be written.
    """
    if not agreement.agrees:
        raise RunError(
            f"nothing is added to {directory.path}: {agreement.lines[0]}",
            f"{suggest('verify', directory.path)} lists the differences; to resume it as it is: "
            f"rm {shlex.quote(str(directory.path / DIGESTS))}",
        )
    remove_digests(directory.path)


def agreement_of(directory: RunDirectory, steps: Sequence[Step] = ()) -> Agreement:
    """Agreement of the files of a run with its digests.

    Args:
        steps: as in `conclude_digests`.
    """
    return check_digests(directory.path, _figures(directory, steps))


def _figures(directory: RunDirectory, steps: Sequence[Step]) -> Iterator[Path]:
    """Files with figures that third-party programs wrote."""
    recipes = {recipe.benchmark: recipe for recipe in recipes_of(directory)}
    homes = _homes(directory) if recipes else {}
    root = os.path.realpath(directory.path)
    for step in steps:
        recipe = recipes.get(step.benchmark)
        file = output_file(recipe, step, homes[step.id]) if recipe and step.id in homes else None
        if file is not None:  # a link made by the program could lead elsewhere
            yield directory.path / os.path.relpath(os.path.realpath(file), root)


def _homes(directory: RunDirectory) -> Mapping[str, Path]:
    """The directory of the job of each step."""
    return {
        step.id: directory.job(number)
        for number in directory.job_numbers()
        for step in directory.steps(number)
    }


def find_disagreements(directory: RunDirectory, found: Sequence[Series]) -> Disagreements:
    """Disagreements between the files of a run.

    Raises:
        RunError: the stored samples are missing or damaged.
    """
    steps = directory.all_steps()
    agreement = agreement_of(directory, steps)
    differing = _differing(directory, agreement, steps, found)
    lines = (*no_digests(directory, agreement), *agreement.lines)
    if differing:
        names = name_some(_names(differing))
        lines = (*lines, f"samples.parquet differs from the records, which count here: {names}")
    cases, jobs = _concerned(agreement.differing, directory, steps)
    return Disagreements(
        lines=lines,
        cases=frozenset(differing | cases),
        jobs=frozenset(jobs),
        whole=agreement.damage or _whole(agreement),
        agrees=agreement.agrees and not differing,
    )


def _differing(
    directory: RunDirectory, agreement: Agreement, steps: Sequence[Step], found: Sequence[Series]
) -> set[Setup]:
    """The cases whose stored samples differ from the records.

    Raises:
        RunError: the stored samples are missing or damaged.
    """
    # A run that is not kept has none, and they need the database, which is slow to load.
    from heorot.store.samples import holds_samples, read_samples  # noqa: PLC0415

    # Of files as they were concluded, the numbers suffice.
    as_concluded = agreement.files is not None and agreement.agrees
    if as_concluded and holds_samples(directory.samples_file, found):
        return set()
    stored = read_samples(directory.samples_file, networks_of(steps))
    return {each.case for each in series_differences(stored, found) if each.case is not None}


def _names(cases: Iterable[Setup]) -> tuple[str, ...]:
    names = {printable(f"{each.benchmark} ({each.case})")[:_LONGEST] for each in cases}
    return tuple(sorted(names))


def no_digests(directory: RunDirectory, agreement: Agreement) -> tuple[str, ...]:
    """A line if a run has no digests, as runs of earlier versions."""
    if agreement.files is not None or agreement.damage:
        return ()
    return (f"no digests: run {suggest('verify', directory.path)}",)


def refuse_whole(directory: RunDirectory, disagreements: Disagreements) -> None:
    """Refuse to compare a run as a whole.

    Raises:
        RunError: nothing of it can be compared.
    """
    if disagreements.whole:
        raise RunError(
            f"{directory.path} is not compared: {disagreements.whole}",
            f"{suggest('verify', directory.path)} lists the differences",
        )


def _whole(agreement: Agreement) -> str:
    """Why nothing of a run is compared; empty if something is."""
    files = [PurePosixPath(name) for name in agreement.differing]
    bad = [str(file) for file in files if file.name in _WHOLE or file.parts[0] == "recipes"]
    return f"it is no longer as it was concluded: {name_some(bad)}" if bad else ""


def _concerned(
    files: Iterable[str], directory: RunDirectory, steps: Sequence[Step]
) -> tuple[set[Setup], set[str]]:
    """The cases and jobs with numbers from some files."""
    keys = {step.id: step.setup for step in steps}
    of_jobs = {
        directory.job(number).name: {step.setup for step in directory.steps(number)}
        for number in directory.job_numbers()
    }
    cases, jobs = set[Setup](), set[str]()
    for name in files:
        place, job, inside, file, *_ = (*PurePosixPath(name).parts, "", "", "")
        step = file.partition(".")[0] if inside in _OF_A_STEP else ""
        if place == "jobs" and step in keys:
            cases.add(keys[step])
        elif place == "jobs":
            cases |= of_jobs.get(job, set())
            jobs.add(job)
    return cases, jobs
