"""Cores: their ceiling, and the basic vector operations below it."""

from __future__ import annotations

from heorot.families.compute import sweeps, units
from heorot.families.compute.checks import cross_check
from heorot.families.compute.glossary import GLOSSARY, SOURCES
from heorot.families.compute.peak import PEAK
from heorot.families.compute.sentences import sentences
from heorot.families.compute.vector_kernels import VECTOR_KERNELS
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.catalogue.family import Family


def _explain(context: Context) -> list[Result]:
    return [*units.explain(context), *sweeps.explain(context)]


FAMILY = Family(
    name="compute",
    title="Cores",
    about="how fast a core computes",
    benchmarks=(PEAK, VECTOR_KERNELS),
    judge=units.judge,
    explain=_explain,
    cross_check=cross_check,
    sentences=sentences,
    glossary=GLOSSARY,
    sources=SOURCES,
)
