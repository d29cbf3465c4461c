"""The terms of the NAS Parallel Benchmarks, and where they come from."""

from __future__ import annotations

GLOSSARY = {
    "class": "How large a problem is: S and W are for trying, A to C for one machine, D and "
    "beyond for many nodes; each is about four times the one before, from C on sixteen times.",
    "operation rate, flop rate": "Operations are counted as the benchmark defines them, whatever "
    "a program does: the Mop/s of published tables. Flops are the floating-point operations that "
    "are really performed: only they have a share of what a machine can do.",
    "nominal share of peak": "Operations by the benchmark's definition as a share of the peak, "
    "as published tables give it; not a measure of how well a processor is used.",
    "share of roofline": "Performed flops per second as a share of the lower of two limits: the "
    "peak, and what the cache or memory that holds the problem feeds, given the bytes that the "
    "method must move.",
    "predicted balance, measured balance": "Mean over largest load of the ranks: what sharing "
    "the zones out by their operations promises, and what the ranks' computing times show.",
    "multi-zone": "A grid of zones that are solved apart and exchange their boundaries: ranks "
    "share the zones out, threads work inside one.",
}
SOURCES = (
    (
        "S. Williams, A. Waterman, D. Patterson: Roofline: an insightful visual performance "
        "model for multicore architectures. Comm. ACM 52 (2009)."
    ),
    "D. Bailey et al.: The NAS Parallel Benchmarks. NASA Ames, RNR-94-007, 1994.",
    (
        "R. F. Van der Wijngaart, H. Jin: NAS Parallel Benchmarks, Multi-Zone Versions. NASA "
        "Ames, NAS-03-010, 2003."
    ),
)
