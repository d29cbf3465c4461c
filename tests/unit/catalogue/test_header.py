"""The first comment of a program, read for the report."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.build.sources import native_directory
from heorot.catalogue.header import read_header, source_of
from heorot.families import BENCHMARKS
from heorot.model.catalogue.benchmark import Header

TEXT = """\
// memory/example: how fast is an example,
// and why?
//
// Method    Three arrays a, b, c
//           of n doubles:
//             add      a(i) = b(i)
//               + c(i)
//             copy     a(i) = b(i)
//           Each twice, by
//           all threads.
// Counts    bytes = 24 n.
//
//           flops = n.
// Verified  Every a(i); tolerance 1e-14.
// Source    J. Doe, A Title: With Colon, 1995.
#include <vector>
// Method    not part of the header
"""


def native(tmp_path: Path, text: str, name: str = "memory/example") -> Path:
    path = tmp_path / "benchmarks" / f"{name}.cpp"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return tmp_path


def test_question_and_sections(tmp_path: Path) -> None:
    header = read_header(native(tmp_path, TEXT), "memory/example")
    assert header.question == "how fast is an example, and why?"
    assert header.sections == {
        "Method": (
            "Three arrays a, b, c of n doubles:\n"
            "  add      a(i) = b(i) + c(i)\n"
            "  copy     a(i) = b(i)\n"
            "Each twice, by all threads."
        ),
        "Counts": "bytes = 24 n. flops = n.",
        "Verified": "Every a(i); tolerance 1e-14.",
        "Source": "J. Doe, A Title: With Colon, 1995.",
    }
    assert list(header.sections) == ["Method", "Counts", "Verified", "Source"]


def test_a_remark_between_question_and_sections_is_neither(tmp_path: Path) -> None:
    text = "// memory/example: why?\n//\n// A remark.\n//\n// Method    So.\n"
    header = read_header(native(tmp_path, text), "memory/example")
    assert header.question == "why?"
    assert header.sections == {"Method": "So."}


def test_a_program_may_have_a_folder(tmp_path: Path) -> None:
    root = native(tmp_path, TEXT, "memory/example/example")
    assert source_of(root, "memory/example").name == "example.cpp"
    assert read_header(root, "memory/example").question.startswith("how fast")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#include <vector>\n",
        "// memory/other: why?\n",
        "// Something else\n",
        "// memory/example\n",
    ],
)
def test_another_first_line_is_our_mistake(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match="the first line must be `// memory/example: question`"):
        read_header(native(tmp_path, text), "memory/example")


@pytest.mark.parametrize("name", [benchmark.name for benchmark in BENCHMARKS])
def test_every_program_says_what_it_does(name: str) -> None:
    header = read_header(native_directory(), name)
    assert header.question.endswith("?")
    sections = ["Method", "Counts", "Comparable", "Verified", "Source", "Example"]
    assert list(header.sections) == sections
    assert all(len(text) > 20 for text in header.sections.values())
    assert header.comparable in {"Yes", "In part", "No"}
    assert header.sections["Example"].startswith(f"heorot run {name} ")
    # Equations and regions have lines of their own; other text is short.
    prose = [line for line in header.sections["Method"].splitlines() if line[:1] != " "]
    assert sum(map(len, prose)) < 1200


def test_whether_figures_compare_is_what_stands_before_the_colon() -> None:
    def said(**sections: str) -> str:
        return Header(question="why?", sections=sections).comparable

    assert said(Comparable="In part: with STREAM: its best trial.") == "In part"
    assert said(Comparable="perhaps") == ""
    assert said() == ""
