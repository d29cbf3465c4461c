"""The terms of the NAS Parallel Benchmarks, and where they come from."""

from __future__ import annotations

from heorot.model.catalogue.family import Term

GLOSSARY = (
    Term(
        word="class",
        meaning=(
            "How large a problem is: S and W are for trying, A to C for one machine, D and "
            "beyond for many nodes; each is about four times the one before, from C on "
            "sixteen times."
        ),
    ),
    Term(
        word="multi-zone",
        meaning=(
            "A grid of zones that are solved apart and exchange their boundaries: ranks "
            "share the zones out, threads work inside one."
        ),
    ),
)
SOURCES = (
    "D. Bailey et al.: The NAS Parallel Benchmarks. NASA Ames, RNR-94-007, 1994.",
    (
        "R. F. Van der Wijngaart, H. Jin: NAS Parallel Benchmarks, Multi-Zone Versions. NASA "
        "Ames, NAS-03-010, 2003."
    ),
)
