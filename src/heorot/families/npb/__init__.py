"""The NAS Parallel Benchmarks."""

from __future__ import annotations

from heorot.families.npb.glossary import GLOSSARY, SOURCES
from heorot.families.npb.programs import BT, BT_MZ, CG, EP, FT, IS, LU, LU_MZ, MG, SP, SP_MZ
from heorot.model.catalogue.family import Family, FamilyAnalysis
from heorot.model.catalogue.figure import Figure


def _analysis() -> FamilyAnalysis:
    from heorot.families.npb import balance, checks, rooflines, sentences

    return FamilyAnalysis(
        foresee=(balance.foresee,),
        explain=(rooflines.explain, balance.explain),
        cross_check=(checks.cross_check,),
        sentences=(sentences.sentences, balance.sentences),
    )


FAMILY = Family(
    name="npb",
    title="NAS Parallel Benchmarks",
    about="speed and scaling of the NAS Parallel Benchmarks",
    analysis=_analysis,
    benchmarks=(EP, IS, CG, MG, FT, LU, SP, BT, BT_MZ, SP_MZ, LU_MZ),
    overview=Figure.curve(
        "Speedup over the cores",
        "speedup",
        "cores",
        "cores",
        kind="multiples",
        least_values=2,
        series=("class", "way"),
    ),
    glossary=GLOSSARY,
    sources=SOURCES,
)
