"""Recomputes the stored results of a run from its records, and lists the differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from heorot import __version__
from heorot.errors import RunError
from heorot.model.evaluation import RunFacts
from heorot.model.run.agreement import Agreement
from heorot.model.run.plan import networks_of
from heorot.session.runs import collect_again, recompute
from heorot.session.verification.differences import (
    Difference,
    result_differences,
    series_differences,
)
from heorot.session.verification.disagreements import agreement_of
from heorot.store.digests import ACCEPTANCE, check_digests
from heorot.store.directory import RunDirectory
from heorot.store.results import read_results
from heorot.store.samples import read_samples
from heorot.units import plural

_LISTED = 10
_LONGEST = 400


@dataclass(frozen=True)
class Verified:
    """Agreement of one type of stored data.

    Attributes:
        what: type of data.
        agrees: whether it agrees.
        summary: the result in a few words.
        lines: the first differences.
    """

    what: str
    agrees: bool
    summary: str
    lines: tuple[str, ...] = ()


def verify(path: Path) -> tuple[Verified, ...]:
    """Compare all stored data of a run with its digests and its records.

    Args:
        path: directory of a run, or of a check of a batch system.

    Raises:
        RunError: it is neither, has not ended, or its request cannot be read.
    """
    if (path / ACCEPTANCE).exists() and not RunDirectory(path).facts_file.exists():
        result = "not recomputed: only the check itself observed the batch system"
        return digests_of(check_digests(path.absolute())), Verified("verdicts", True, result)
    directory = RunDirectory.open(path)
    facts = directory.facts()
    if facts.ended is None:
        raise RunError(f"{path} has not ended", "it can be verified after its end")
    steps = directory.all_steps()
    digests, networks = digests_of(agreement_of(directory, steps)), networks_of(steps)
    collected = collect_again(directory)
    results = recompute(directory, collected).evaluation.table
    n_samples = sum(len(one.seconds) for one in collected.series)

    def differing_series() -> Iterator[Difference]:
        stored = read_samples(directory.samples_file, networks)
        yield from series_differences(stored, collected.series)

    def differing_results() -> Iterator[Difference]:
        yield from result_differences(read_results(directory.results_file, networks), results)

    summary = f"{len(collected.series)} series with {n_samples} samples agree with the records"
    rows = compared("results", f"{len(results)} rows agree with the records", differing_results)
    return (digests, compared("samples", summary, differing_series), with_version(rows, facts))


def digests_of(agreement: Agreement) -> Verified:
    """Agreement of the digests of a run's files."""
    if agreement.files is None and not agreement.damage:
        return Verified("digests", True, "none: the run is of an earlier version, or lost them")
    if agreement.agrees:
        return Verified("digests", True, f"of {plural(agreement.files or 0, 'file')} agree")
    return Verified("digests", False, "files do not agree", agreement.lines)


def compared(what: str, well: str, differing: Callable[[], Iterable[Difference]]) -> Verified:
    """The first differences and their number; unreadable data differ, too."""
    try:
        found = iter(differing())
        lines = tuple(str(one)[:_LONGEST] for one in islice(found, _LISTED))
        more = sum(1 for _ in found)
    except RunError as error:
        return Verified(what, False, str(error))
    if not lines:
        return Verified(what, True, well)
    summary = chain(lines, [f"and {more} more"] if more else [])
    n = len(lines) + more
    result = "1 value differs" if n == 1 else f"{n} values differ"
    return Verified(what, False, result, tuple(summary))


def with_version(verified: Verified, facts: RunFacts) -> Verified:
    """Add a line on the version of a run with differences, which may explain them."""
    if verified.agrees or facts.heorot_version == __version__:
        return verified
    line = f"the run is of heorot {facts.heorot_version}, this is {__version__}"
    return Verified(verified.what, False, verified.summary, (*verified.lines, line))
