"""Findings: asymmetric and implausible file systems, files in memory, files left by killed runs."""

from __future__ import annotations

from collections.abc import Iterator

from heorot.analyse.rows import over
from heorot.analyse.templates.quantities import limit, ratio
from heorot.families.storage import templates
from heorot.families.storage.latency import LATENCY
from heorot.families.storage.posix import POSIX
from heorot.families.storage.sentences import latency, roles_of, usual
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Finding

_LEAST_FACTOR = 2.0
# A device with a protected cache answers over PCIe within tens of microseconds.
_LEAST_SYNC_SECONDS = 20e-6


def find(context: Context) -> list[Finding]:
    """All findings of the family."""
    return [
        *_asymmetries(context),
        *_implausible(context),
        *_cached(context),
        *_left_behind(context),
    ]


def _asymmetries(context: Context) -> Iterator[Finding]:
    """File systems that read and write at very different rates."""
    for role in roles_of(context):
        read, write = usual(context, role, "read"), usual(context, role, "write")
        if read is None or write is None or read.disturbed or write.disturbed:
            continue
        fast, slow = (read, write) if read.median > write.median else (write, read)
        if over(fast, slow)[1] > _LEAST_FACTOR:
            yield templates.ASYMMETRIC(
                role=role,
                read=read,
                write=write,
                factor=ratio(fast, slow),
                least=limit(_LEAST_FACTOR),
            )


def _implausible(context: Context) -> Iterator[Finding]:
    """Flushes that are faster than devices, on file systems with a device."""
    cold = {role for role, answer in _notes(context, "cold_reads") if answer == "yes"}
    for role in roles_of(context):
        row = latency(context, role, "append_fsync")
        if role in cold and row is not None and row.ci_high < _LEAST_SYNC_SECONDS:
            yield templates.IMPLAUSIBLE_SYNC(
                role=role, fsync=row, least=limit(_LEAST_SYNC_SECONDS, "s")
            )


def _notes(context: Context, name: str) -> Iterator[tuple[str, str]]:
    """Values of a note, each with the role of the file system of its launch."""
    names = {POSIX.name, LATENCY.name}
    steps = {step.id: step for step in context.steps if step.benchmark in names}
    for outcome in context.outcomes:
        step = steps.get(outcome.step)
        for note in outcome.notes if step is not None else ():
            if step is not None and note.name == name:
                yield str(step.options.get("directory", "")) or "tmp", str(note.value)


def _cached(context: Context) -> Iterator[Finding]:
    roles = [role for role, cold in _notes(context, "cold_reads") if cold != "yes"]
    if roles:
        yield templates.ALWAYS_CACHED(roles=list(dict.fromkeys(roles)))


def _left_behind(context: Context) -> Iterator[Finding]:
    left = [text for _, text in _notes(context, "left_behind")]
    if left:
        yield templates.LEFT_BEHIND(places=list(dict.fromkeys(left)))
