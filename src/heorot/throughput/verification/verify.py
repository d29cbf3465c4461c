"""Whether what was stored of a day follows from what its jobs wrote."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from heorot.errors import RunError
from heorot.session.verification.differences import Difference, document_differences
from heorot.session.verification.verify import (
    Verified,
    compared,
    digests_of,
    with_version,
)
from heorot.store.digests import check_digests
from heorot.throughput.session.conclude import collect_day, files_left
from heorot.throughput.session.prepare import gather
from heorot.throughput.store import DayDirectory


def verify_day(path: Path) -> tuple[Verified, ...]:
    """Hold everything that was stored of a day against its digests and what its jobs wrote.

    Raises:
        RunError: it has not ended, or what it was asked for cannot be read.
    """
    directory = DayDirectory.open_day(path)
    facts = directory.day()
    if facts.ended is None:
        raise RunError(f"{directory.path} has not ended", "it can be verified when it has")
    prepared = gather(directory)
    digests = digests_of(check_digests(directory.path, files_left(prepared)))
    day = collect_day(directory, prepared)

    def differing() -> Iterator[Difference]:
        stored, found = (each.model_dump(mode="json") for each in (directory.settled(), day))
        yield from document_differences("settled.json", stored, found)

    told = f"{len(day.jobs)} jobs agree with what their scripts wrote"
    return (digests, with_version(compared("jobs", told, differing), directory.facts()))
