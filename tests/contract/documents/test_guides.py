"""The guides agree with the tree: lines they quote, parts they name, tests they promise."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.family import Family, FamilyAnalysis

ROOT = Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "docs/adding-a-benchmark.md").read_text(encoding="utf-8")

_QUOTED = ("stream", "__init__", "templates", "sentences")


def test_the_guide_to_a_benchmark_quotes_the_real_one() -> None:
    sources = {
        "cpp": ["native/benchmarks/memory/stream/stream.cpp"],
        "cmake": ["native/benchmarks/memory/CMakeLists.txt"],
        "python": [f"src/heorot/families/memory/{name}.py" for name in _QUOTED],
    }
    wrong = []
    for language, names in sources.items():
        texts = [(ROOT / name).read_text(encoding="utf-8") for name in names]
        real = " ".join(" ".join(texts).split())
        blocks = re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
        assert blocks, language
        # A line with an ellipsis stands for what the guide leaves out.
        passages = [part for block in blocks for part in re.split(r".*\.\.\..*\n", block)]
        wrong += [part for part in passages if " ".join(part.split()) not in real]
    assert wrong == []


@pytest.mark.parametrize(
    ("heading", "kinds", "given"),
    [
        ("3. The record", (Benchmark,), {"name"}),
        (
            "4. The family's list",
            (Family, FamilyAnalysis),
            {"name", "title", "about", "benchmarks"},
        ),
    ],
)
def test_all_parts_of_a_record_are_described(
    heading: str, kinds: tuple[type[Benchmark | Family | FamilyAnalysis], ...], given: set[str]
) -> None:
    section = GUIDE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    heads = re.findall(r"^- (\*\*.*?):", section, re.MULTILINE)
    described = {name for head in heads for name in re.findall(r"\*\*(\w+)\*\*", head)}
    assert described == {field.name for kind in kinds for field in dataclasses.fields(kind)} - given


def test_what_a_program_is_said_to_call_is_there() -> None:
    program = (ROOT / "native/harness/program.hpp").read_text(encoding="utf-8")
    called = set(re.findall(r"program\.(\w+)\(", GUIDE))
    assert len(called) > 10
    assert {name for name in called if not re.search(rf"\b{name}\(", program)} == set()


def test_what_is_said_of_security_has_its_tests() -> None:
    said = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)(?:\.py)?`", said))
    tests = list((ROOT / "tests").rglob("test_*.py"))
    there = {path.stem for path in tests}
    for path in tests:
        there |= set(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert len(named) > 20
    assert named <= there, named - there


def test_paths_of_the_tree_that_documents_name_are_there() -> None:
    documents = [*ROOT.glob("docs/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    path = r"(?:src/heorot|native|tests|tools|docs)/[\w./*-]+"
    mentioned = {
        (document.name, place.rstrip("/"))
        for document in documents
        for place in re.findall(rf"`({path})`", document.read_text(encoding="utf-8"))
        if "family" not in place  # stands for any
    }
    assert len(mentioned) > 15
    assert [one for one in sorted(mentioned) if not any(ROOT.glob(one[1]))] == []


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings, as forges make them."""
    text = re.sub(r"(?ms)^```.*?^```", "", document.read_text(encoding="utf-8"))
    return {
        re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    }


def broken_links(document: Path) -> list[str]:
    """Relative links of a document whose file or heading does not exist."""
    broken = []
    for target in re.findall(r"\]\(([^)\s:]+)\)", document.read_text(encoding="utf-8")):
        name, _, anchor = target.partition("#")
        page = document.parent / name if name else document
        if not page.exists() or (anchor and anchor not in anchors(page)):
            broken.append(target)
    return broken


def test_links_between_documents_lead_to_files_and_headings() -> None:
    documents = [*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    assert {page.name: broken for page in documents if (broken := broken_links(page))} == {}


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text("# One (`x`) two\n[a](#one-x-two) [b](a.md#three) [c](b.md) [d](https://e.f)\n")
    assert broken_links(page) == ["a.md#three", "b.md"]
