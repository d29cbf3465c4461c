"""The section of toolchains: what is compared, accuracy and porting, each only if there is any."""

from __future__ import annotations

import re
from dataclasses import replace

from heorot.model.analysis.studies.toolchains import (
    Accuracy,
    Porting,
    ToolchainField,
    ToolchainMean,
    ToolchainStudy,
)
from heorot.report.page import format_report
from tests.unit.analyse.nodes.cluster import Cluster, evaluate, names

PORTED = Porting(
    toolchain="gnu", benchmark="memory/gups", what="other flags", detail="-O1 <b>only</b>"
)


def section(study: ToolchainStudy | None) -> str:
    """The section in a report of a run with such toolchains; empty if there is none."""
    evaluation = evaluate(Cluster([names(1)]))
    analysis = evaluation.analysis.model_copy(update={"toolchains": study})
    text = format_report(replace(evaluation, analysis=analysis), ())
    found = re.search(r'<section id="toolchains-compared".*?</section>', text, re.DOTALL)
    return found[0] if found else ""


def test_without_a_study_there_is_no_section() -> None:
    assert section(None) == ""


def test_of_one_toolchain_there_is_porting_alone() -> None:
    text = section(ToolchainStudy(base="gnu", fields=(), porting=(PORTED,)))
    assert '<h3 id="porting">Porting</h3>' in text
    assert "-O1 &lt;b&gt;only&lt;/b&gt;" in text
    assert "<figure" not in text
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
    text = section(ToolchainStudy(base="gnu", fields=(field,), means=(mean,)))
    assert "0.080–0.130" in text
    assert "0.090–0.120" in text
    assert text.count("library calls") == 2
    assert "Porting" not in text
    assert "Accuracy" not in text


def test_accuracy_has_a_column_for_each_toolchain_and_marks_what_fails() -> None:
    one = Accuracy(
        benchmark="compute/intrinsics",
        region="exp",
        check="largest error in units in the last place",
        tolerance=5.0,
        values={"gnu": 0.51, "gnu+Ofast": 35000.0},
    )
    text = section(ToolchainStudy(base="gnu", fields=(), accuracy=(one,), porting=(PORTED,)))
    assert "<h3>Accuracy</h3>" in text
    for word in ("gnu+Ofast", "0.51", "3.5e+04", "largest error in units"):
        assert word in text
    assert re.search(r'class="[^"]*bad[^"]*"[^>]*>3.5e\+04', text)
