"""Memory bandwidth of one core by stream and by the longest vectors: writing, and reading."""

from __future__ import annotations

from heorot.analyse.rows import best
from heorot.analyse.trust.cross_checks import pair, per_toolchain
from heorot.families.memory.stream import STREAM
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import CrossCheck

# Array sizes, alignment and the share of the last cache differ.
_MEMORY = 1.25


def cross_check(context: Context) -> list[CrossCheck]:
    """What stream draws from memory against what others publish of their longest vectors."""
    checks: list[CrossCheck] = []
    for toolchain, suffix in per_toolchain(context):
        for region in ("triad", "read"):
            name = f"vector_memory_bandwidth_{region}"
            streamed = context.rows.find(
                STREAM.name, region, "bandwidth", cores=1, toolchain=toolchain
            )
            vectors = context.references.find(name, cores=1, toolchain=toolchain)
            checks += pair(
                f"memory bandwidth of one core{suffix}",
                (best(streamed), best(vectors)),
                (f"{STREAM.name}, {region}", _name(context, name)),
                _MEMORY,
            )
    return checks


def _name(context: Context, reference: str) -> str:
    """The program and region behind a reference."""
    published = context.references.publisher(reference)
    if published is None:
        return reference
    program, rule = published
    return f"{program}, longest {rule.regions[0]}"
