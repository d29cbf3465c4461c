"""The section of toolchains: comparison, accuracy and porting, each only if there is any."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from heorot.model.analysis.studies.toolchains import (
    Accuracy,
    Porting,
    ToolchainField,
    ToolchainMean,
    ToolchainStudy,
)
from heorot.model.evaluation import Evaluation
from heorot.report.anchors import Frame, find_anchors
from heorot.report.page import format_report
from heorot.report.sections.section import Section
from heorot.report.sections.toolchains import toolchain_section
from heorot.report.tables.table import Allowance
from tests.unit.analyse.nodes.cluster import Cluster, evaluate, names
from tests.unit.report.tables.reading import lines_of

PORTED = Porting(
    toolchain="gnu", benchmark="memory/gups", what="other flags", detail="-O1 <b>only</b>"
)


@cache
def plain() -> Evaluation:
    """A run of one node."""
    return evaluate(Cluster([names(1)]))


def run_with(toolchains: ToolchainStudy | None) -> Evaluation:
    """A run with such toolchains."""
    analysis = plain().analysis.model_copy(update={"toolchains": toolchains})
    return replace(plain(), analysis=analysis)


def section(toolchains: ToolchainStudy) -> Section:
    """The section about them."""
    evaluation = run_with(toolchains)
    found = toolchain_section(evaluation, Frame(find_anchors(evaluation), Allowance(), "export"))
    assert found is not None
    return found


def test_without_a_study_there_is_no_section() -> None:
    assert (
        toolchain_section(
            run_with(None), Frame(find_anchors(run_with(None)), Allowance(), "export")
        )
        is None
    )
    assert '<section id="toolchains-compared"' not in format_report(run_with(None), ())


def test_of_one_toolchain_there_is_porting_alone() -> None:
    toolchains = ToolchainStudy(base="gnu", fields=(), porting=(PORTED,))
    found = section(toolchains)
    assert [table.id for table in found.tables] == ["porting"]
    assert found.drawings == []
    page = format_report(run_with(toolchains), ())
    text = page.partition('<section id="toolchains-compared"')[2].partition("</section>")[0]
    assert '<h3 id="porting">Porting</h3>' in text
    assert "-O1 &lt;b&gt;only&lt;/b&gt;" in text
    assert text.count("<table") == 1


def test_means_have_intervals_and_say_what_they_are_of() -> None:
    field = ToolchainField(
        benchmark="algorithms/dense_solve",
        toolchain="gnu+reference",
        state="measured",
        ratio=0.1,
        low=0.09,
        high=0.12,
        part="library calls",
    )
    mean = ToolchainMean(
        toolchain="gnu+reference", ratio=0.1, low=0.08, high=0.13, n=1, part="library calls"
    )
    found = section(ToolchainStudy(base="gnu", fields=(field,), means=(mean,)))
    means, ratios = found.tables
    (line,) = lines_of(means)
    assert list(line.values()) == ["gnu+reference", "library calls", "0.100", "0.080–0.130", "1"]
    (line,) = lines_of(ratios)
    assert {"algorithms/dense_solve", "gnu+reference", "library calls", "0.090–0.120"} <= set(
        line.values()
    )


def test_accuracy_has_a_column_for_each_toolchain_and_marks_what_fails() -> None:
    one = Accuracy(
        benchmark="compute/intrinsics",
        region="exp",
        check="largest error in units in the last place",
        tolerance=5.0,
        values={"gnu": 0.51, "gnu+Ofast": 35000.0},
    )
    found = section(ToolchainStudy(base="gnu", fields=(), accuracy=(one,), porting=(PORTED,)))
    accuracy, _ = found.tables
    (line,) = lines_of(accuracy)
    assert (line["gnu"], line["gnu+Ofast"]) == ("0.51", "3.5e+04")
    (row,) = accuracy.rows
    assert [cell.text for cell in row.cells if cell.tone == "bad"] == ["3.5e+04"]
    assert any("largest error in units" in text for text in line.values())
