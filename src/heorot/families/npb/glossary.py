"""The terms of the NAS Parallel Benchmarks, and their sources."""

from __future__ import annotations

GLOSSARY = {
    "class": "The problem size: S and W for trials, A to C for one machine, D and above for many "
    "nodes. Each is about four times the one before, from C on sixteen times.",
    "operation rate, flop rate": "Operations as the benchmark defines them, the Mop/s of published "
    "tables; floating-point operations as performed, which alone have a share of a bound.",
    "nominal share of peak": "Operations by the benchmark's definition as a share of the FMA peak, "
    "as in published tables; no measure of processor efficiency.",
    "share of roofline": "Performed flop/s as a share of the roofline, with the bytes that the "
    "method must move.",
    "predicted balance, measured balance": "Mean over largest load of the ranks: by the operations "
    "of their zones, and by their computing times.",
    "multi-zone": "A grid of zones that are solved separately and exchange their boundaries. Ranks "
    "share the zones; threads work inside a zone.",
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
