"""Comments that name a native test, `tests/npb/test_lu.cpp: name`, name one that is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

NATIVE = Path(__file__).resolve().parents[2] / "native"

NEXT_LINE = re.compile(r"\n\s*//+\s*")
REFERENCE = re.compile(r"\b(tests/[\w/]+\.cpp): ((?:\w+(?: \([^)]*\))?(?:, )?)+)")
NAME = re.compile(r"(\w+)(?: \([^)]*\))?")


def references(text: str) -> Iterator[tuple[str, str]]:
    """Yield file and function of every reference, be it on one line of a comment or on several."""
    for file, names in REFERENCE.findall(NEXT_LINE.sub(" ", text)):
        yield from ((file, name) for name in NAME.findall(names))


def dangling(native: Path) -> list[str]:
    """List the references to a test or function that is not there."""
    found = []
    for source in sorted(native.rglob("*.[ch]pp")):
        for file, name in references(source.read_text(encoding="utf-8")):
            test = native / file
            text = test.read_text(encoding="utf-8") if test.is_file() else ""
            if not re.search(rf"^\w+ {name}\(", text, re.MULTILINE):
                found.append(f"{source.relative_to(native)}: {file}: {name}")
    return found


def test_named_tests_are_there() -> None:
    named = [
        reference
        for source in NATIVE.rglob("*.[ch]pp")
        for reference in references(source.read_text(encoding="utf-8"))
    ]
    assert len(named) > 20
    assert dangling(NATIVE) == []


def test_a_reference_to_nothing_is_found(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_a.cpp").write_text("void right() {}\nint main() { right(); }\n")
    (tmp_path / "a.hpp").write_text(
        "// Checked against b in tests/test_a.cpp: right (of a),\n// wrong. And in\n"
        "// tests/test_b.cpp: right. That is all.\n"
    )
    assert dangling(tmp_path) == [
        "a.hpp: tests/test_a.cpp: wrong",
        "a.hpp: tests/test_b.cpp: right",
    ]
