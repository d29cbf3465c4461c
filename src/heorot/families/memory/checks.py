"""Memory bandwidth of one core by stream and by the longest vectors."""

from __future__ import annotations

from heorot.analyse.rows import best
from heorot.analyse.trust.cross_checks import pair, per_toolchain
from heorot.families.memory.stream import STREAM
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import CrossCheck

# Array sizes, alignment and the share of the last cache differ.
_MEMORY = 1.25


def cross_check(context: Context) -> list[CrossCheck]:
    """Triad of stream against what others publish of their longest vectors.

    Reading has no other witness: stream reads in more places at once than a dot product does, which
    draws more from memory.
    """
    checks: list[CrossCheck] = []
    name = "vector_memory_bandwidth_triad"
    for toolchain, suffix in per_toolchain(context):
        streamed = context.rows.find(
            STREAM.name, "triad", "bandwidth", cores=1, toolchain=toolchain
        )
        vectors = context.references.find(name, cores=1, toolchain=toolchain)
        checks += pair(
            f"memory bandwidth of one core{suffix}",
            (best(streamed), best(vectors)),
            (f"{STREAM.name}, triad", _name(context, name)),
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
