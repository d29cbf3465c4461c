"""The terms of the family compute, and where its methods come from."""

from __future__ import annotations

GLOSSARY = {
    "core clock": "Cycles per second as a chain of dependent operations of known latency shows "
    "them, whatever the processor says of itself.",
    "units": "How many fused multiply-adds of a whole vector a core starts in a cycle: as many "
    "as the best rate needs.",
    "n_half": "The length at which half of the asymptotic rate is reached: the smaller, the less "
    "is lost on short vectors or messages.",
    "r_max": "The largest rate seen in a level of the memory, from the first-level cache to "
    "memory itself.",
    "computational intensity": "Flops for every operand that is fetched or stored.",
}
SOURCES = (
    (
        "R. W. Hockney: Performance Parameters and Benchmarking of Supercomputers. Parallel "
        "Computing 17, 1991. (Start-up, n_half, computational intensity.)"
    ),
    (
        "A. van der Steen: An Evaluation of some Beowulf Clusters. Utrecht, WFI-2000-07, "
        "2000. (Vector operations, ideal speed.)"
    ),
)
