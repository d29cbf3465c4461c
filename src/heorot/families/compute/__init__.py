"""Cores: flop peak, and the basic vector operations below it."""

from __future__ import annotations

from heorot.families.compute.decisions.branches import BRANCHES
from heorot.families.compute.decisions.integer import INTEGER
from heorot.families.compute.functions.intrinsics import INTRINSICS
from heorot.families.compute.glossary import GLOSSARY, SOURCES
from heorot.families.compute.peak import PEAK
from heorot.families.compute.vectors.dot_product import DOT_PRODUCT
from heorot.families.compute.vectors.vector_kernels import VECTOR_KERNELS
from heorot.model.catalogue.family import Family, FamilyAnalysis


def _analysis() -> FamilyAnalysis:
    from heorot.families.compute import sentences, units
    from heorot.families.compute.decisions import costs
    from heorot.families.compute.functions import accuracy
    from heorot.families.compute.vectors import dots, sweeps

    return FamilyAnalysis(
        judge=(units.judge,),
        explain=(units.explain, sweeps.explain, costs.explain, accuracy.explain),
        cross_check=(units.cross_check,),
        find=(accuracy.find,),
        sentences=(sentences.sentences, dots.sentences),
    )


FAMILY = Family(
    name="compute",
    title="Cores",
    about="FMA peak, vector kernels, branches and functions of a core",
    analysis=_analysis,
    benchmarks=(PEAK, VECTOR_KERNELS, DOT_PRODUCT, BRANCHES, INTEGER, INTRINSICS),
    tiles=((PEAK.name, "flop_rate", "fma_double"),),
    glossary=GLOSSARY,
    sources=SOURCES,
)
