"""Programs of others: whatever recipes a run has, and how long they take beside Heorot's own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from heorot.families.others import beside, linpack
from heorot.model.catalogue.family import Family
from heorot.model.recipe import FAMILY, Recipe
from heorot.recipes.catalogue import benchmark_of

_GLOSSARY = {
    "recipe": "a file that says how a program of others is built, run, verified and read; its "
    "figures are the program's own, found in what it prints",
    "LINPACK": "a large dense system of equations, solved by HPL: the rate by which lists order "
    "machines, which applications do not reach",
    "theirs over ours": "how many times as long a program of others takes for what a program of "
    "Heorot's does, too, with the same ranks and threads",
}


def family_of(recipes: Sequence[Recipe]) -> Family:
    """The family of the programs of others."""
    return Family(
        name=FAMILY,
        title="Programs of others",
        about="how programs of others run",
        benchmarks=tuple(map(benchmark_of, recipes)),
        explain=(partial(beside.explain, recipes),),
        sentences=(partial(beside.sentences, recipes), linpack.sentences),
        glossary=_GLOSSARY,
    )
