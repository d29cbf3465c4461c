"""The section of a family: its answer first, then its programs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heorot.model.catalogue.family import Family
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from heorot.report.sections.programs import ProgramSection, SectionMaterial, program_section
from heorot.report.sections.scorecard import ScoreLine
from heorot.report.sections.section import Said, n_open


@dataclass(frozen=True)
class FamilySection:
    """The programs of a family, and their common sentences.

    Attributes:
        overview: the figure that answers the family's question, else the first of its programs.
        scores: its lines of the score card.
    """

    title: str
    id: str
    sentences: Said
    overview: Drawing | None
    scores: tuple[ScoreLine, ...]
    programs: tuple[ProgramSection, ...]

    @property
    def n_open(self) -> int:
        """How many sentences are shown in brief before anything is opened."""
        return n_open(self.sentences)


def family_sections(material: SectionMaterial) -> list[FamilySection]:
    """A section for each family that has programs in the run."""
    present = {benchmark.name for benchmark in material.evaluation.benchmarks}
    return [
        _section(family, present, material)
        for family in material.evaluation.families
        if any(benchmark.name in present for benchmark in family.benchmarks)
    ]


def _section(family: Family, present: set[str], material: SectionMaterial) -> FamilySection:
    programs = [benchmark for benchmark in family.benchmarks if benchmark.name in present]
    rows = [row for program in programs for row in material.results.get(program.name, ())]
    divided = [one for program in programs for one in material.breakdowns.get(program.name, ())]
    sections = [program_section(program, material) for program in programs]
    overview = None
    if family.overview:
        overview = draw(family.overview, Material(rows, divided), f"f-{family.name}")
    for number, section in enumerate(sections):
        if overview is None and section.drawings:
            overview, *others = section.drawings
            sections[number] = replace(section, drawings=tuple(others), above=overview.id)
    names = {program.name for program in programs}
    return FamilySection(
        title=family.title,
        id=f"f-{family.name}",
        sentences=material.frame.anchors.sentences_of(material.evaluation.analysis, family.name),
        overview=overview,
        scores=tuple(line for line in material.scores if line.benchmark in names),
        programs=tuple(sections),
    )
