"""The terms of the family compute, and the sources of its methods."""

from __future__ import annotations

GLOSSARY = {
    "core clock": "Cycles per second, measured by a chain of dependent operations of known "
    "latency.",
    "FMA pipes": "Fused multiply-adds of full vectors that a core starts per cycle.",
    "n1/2": "The vector or message length that reaches half of the asymptotic rate: a measure of "
    "start-up overhead.",
    "r_max": "The highest rate in a level of the memory hierarchy.",
    "computational intensity": "Flops per operand that is loaded or stored.",
    "misprediction penalty": "2 x (time of a random branch − time of a predictable branch).",
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
