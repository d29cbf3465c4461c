"""Verifies stored throughput tests with the files of their jobs; compares tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from heorot.errors import RunError, UsageError
from heorot.model.run.agreement import Agreement
from heorot.session.verification.differences import Difference, document_differences
from heorot.session.verification.side_by_side import require_legible
from heorot.session.verification.verify import Verified, compared, digests_of, with_version
from heorot.store.atomic import explaining
from heorot.store.digests import check_digests
from heorot.throughput.analyse.analysis import analyse_throughput
from heorot.throughput.analyse.side_by_side import LEAST_TESTS, EndedTest, compare_tests
from heorot.throughput.model.comparison import ThroughputComparison
from heorot.throughput.session.conclude import collect_jobs, files_left
from heorot.throughput.session.prepare import Prepared, gather
from heorot.throughput.store import ThroughputDirectory


def _ended(path: Path, hint: str) -> tuple[ThroughputDirectory, Prepared, Agreement]:
    """A test, its jobs, and whether its files agree with their digests.

    Raises:
        RunError: it has not ended, or its request cannot be read.
    """
    directory = ThroughputDirectory.open_prepared(path)
    if directory.throughput_facts().ended is None:
        raise RunError(f"{path} has not ended", f"it can be {hint} after its end")
    prepared = gather(directory)
    return directory, prepared, check_digests(directory.path, files_left(prepared))


def verify_throughput(path: Path) -> tuple[Verified, ...]:
    """Compare the stored files of a throughput test with their digests and its jobs' files.

    Raises:
        RunError: it has not ended, or its request cannot be read.
    """
    directory, prepared, agreement = _ended(path, "verified")
    test = collect_jobs(directory, prepared)

    def differing() -> Iterator[Difference]:
        stored, found = (each.model_dump(mode="json") for each in (directory.settled(), test))
        yield from document_differences("settled.json", stored, found)

    checked = f"{len(test.jobs)} jobs agree with what their scripts wrote"
    jobs = with_version(compared("jobs", checked, differing), directory.facts())
    return digests_of(agreement), jobs


def compare_directories(
    systems: Sequence[Sequence[Path]],
) -> tuple[ThroughputComparison, list[list[EndedTest]]]:
    """Compare the tests of systems with those of the first.

    Args:
        systems: directories of the tests of each system, repetitions of each other.

    Returns:
        The comparison, and its tests.

    Raises:
        UsageError: there are too many systems, or fewer than two tests, or one is named twice.
        RunError: one is no throughput test, has not ended, or contradicts its digests.
    """
    require_legible(len(systems))
    if len([path for paths in systems for path in paths]) < LEAST_TESTS:
        raise UsageError("a comparison needs two tests, and only one is given", "name another")
    named = Counter(path.resolve() for paths in systems for path in paths)
    twice = next((path for path, n in named.items() if n > 1), None)
    if twice is not None:
        raise UsageError(f"{twice} is named twice", "name each test once")
    tests = [[_read(path) for path in paths] for paths in systems]
    names = Counter(test.name for own in tests for test in own)
    checked = [
        [
            replace(test, name=str(path)) if names[test.name] > 1 else test
            for test, path in zip(own, paths, strict=True)
        ]
        for own, paths in zip(tests, systems, strict=True)
    ]
    return compare_tests(checked), checked


def _read(path: Path) -> EndedTest:
    """Read a test from the files of its jobs."""
    directory, prepared, agreement = _ended(path, "compared")
    if not agreement.agrees:
        raise RunError(
            f"{path}: {agreement.lines[0]}", f"what does not agree is not compared: verify {path}"
        )
    test = collect_jobs(directory, prepared)
    name = directory.throughput_facts().name
    return EndedTest(name, test, analyse_throughput(test), prepared.arrivals, prepared.kinds)


def write_comparison(
    comparison: ThroughputComparison, tests: Sequence[Sequence[EndedTest]], out: Path
) -> None:
    """Write a comparison as an HTML page.

    Raises:
        SetupError: the file cannot be written.
    """
    from heorot.throughput.report.compared_page import write_compared  # noqa: PLC0415 - slow to load

    courses = [(own[0].analysis.timeline, own[0].analysis.measures) for own in tests]
    with explaining(out):
        write_compared(comparison, courses, out)
