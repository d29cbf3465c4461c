"""The method names real files, leads to real headings, and has a row for each kind of finding."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGES = (ROOT / "docs/method.md", *sorted(ROOT.glob("docs/method/*.md")))


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings, as Git hosts make them."""
    prose = "".join(document.read_text(encoding="utf-8").split("```")[::2])  # no fenced blocks
    heads = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_links_of_the_method_lead_to_files_and_headings() -> None:
    lost, n = [], 0
    for page in PAGES:
        links = re.findall(r"\]\(([^):\s]+)\)", page.read_text(encoding="utf-8"))
        for path, _, anchor in (link.partition("#") for link in links):
            there = page.parent / path if path else page
            n += 1
            if not there.exists() or (anchor and anchor not in anchors(there)):
                lost.append((page.name, path, anchor))
    assert n > 30
    assert lost == []


def test_source_files_of_the_method_exist() -> None:
    named = {
        path
        for page in PAGES
        for path in re.findall(r"`((?:src|native|tools)/[\w./-]+)`", page.read_text("utf-8"))
    }
    assert len(named) > 50
    assert {path for path in named if not (ROOT / path).exists()} == set()


def test_every_kind_of_finding_has_its_row() -> None:
    page = (ROOT / "docs/method/findings.md").read_text(encoding="utf-8")
    first = [row.split("|")[1] for row in page.splitlines() if row.startswith("| `")]
    described = {kind for cell in first for kind in re.findall("`([^`]+)`", cell)}
    kinds = {
        kind
        for source in (ROOT / "src/heorot").rglob("*.py")
        for kind in re.findall(r'FindingTemplate\(\s*"([^"]+)"', source.read_text("utf-8"))
    }
    assert len(kinds) > 60
    assert described == kinds
