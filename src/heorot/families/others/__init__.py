"""External programs: the recipes of a run, compared with Heorot's own programs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from heorot.model.catalogue.family import Family, FamilyAnalysis
from heorot.model.recipe import FAMILY, Recipe
from heorot.recipes.catalogue import benchmark_of

_GLOSSARY = {
    "recipe": "A file that defines how an external program is built, run, verified and read. Its "
    "figures are those that the program prints.",
    "LINPACK": "Dense LU of a large system by HPL: the rate that ranks machines in lists. "
    "Applications do not reach it.",
    "theirs over ours": "Time of the external program divided by that of Heorot's for the same "
    "problem, ranks and threads.",
}


def _analysis(recipes: Sequence[Recipe]) -> FamilyAnalysis:
    from heorot.families.others import external_comparison, linpack

    return FamilyAnalysis(
        explain=(partial(external_comparison.explain, recipes),),
        sentences=(partial(external_comparison.sentences, recipes), linpack.sentences),
    )


def family_of(recipes: Sequence[Recipe]) -> Family:
    """The family of third-party benchmarks."""
    return Family(
        name=FAMILY,
        title="Third-party benchmarks",
        about="external programs by recipe",
        analysis=partial(_analysis, recipes),
        benchmarks=tuple(map(benchmark_of, recipes)),
        glossary=_GLOSSARY,
    )
