"""Reads the header comment of a program's source: its question and named sections."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from heorot.model.catalogue.benchmark import OWN_LINE, Header

_FIELD = re.compile(r"^//\s{1,4}(?P<name>[A-Z][a-z]+(?: [a-z]+)?)\s{2,}(?P<text>\S.*)$")
# Columns after `//` at which an equation or region on a line of its own begins, and at which such a
# line is continued. Running text begins further left.
_OWN, _CONTINUED = 13, 15


def source_of(native: Path, name: str) -> Path:
    """The file that holds a benchmark's `main`: `family/name.cpp` or `family/name/name.cpp`."""
    family, _, program = name.partition("/")
    single = native / "benchmarks" / family / f"{program}.cpp"
    return (
        single if single.is_file() else native / "benchmarks" / family / program / f"{program}.cpp"
    )


def read_header(native: Path, name: str) -> Header:
    """Read the question and the named sections of a benchmark's header comment.

    Args:
        native: the directory of the native sources.

    Raises:
        ValueError: the file does not begin as a benchmark must.
    """
    path = source_of(native, name)
    lines = _leading_comment(path.read_text(encoding="utf-8"))
    title = re.match(rf"//\s*{re.escape(name)}:\s*(?P<question>.+)$", lines[0]) if lines else None
    if title is None:
        raise ValueError(f"{path}: the first line must be `// {name}: question`")
    question = [title["question"].strip()]
    sections: dict[str, list[str]] = {}
    # The question may continue on the next lines; an empty line or a section ends it.
    current = question
    for line in lines[1:]:
        named = _FIELD.match(line)
        if named:
            current = sections.setdefault(named["name"], [])
            current.append(named["text"])
        elif line.strip("/ "):
            current.append(line.lstrip("/"))
        elif current is question:
            current = []
    return Header(
        question=_join(question),
        sections={name: _join(lines) for name, lines in sections.items()},
    )


def _join(lines: Iterable[str]) -> str:
    """Joins running text into one line; lines of their own are kept, marked by OWN_LINE."""
    joined: list[str] = []
    for line in lines:
        text = line.strip()
        column = len(line) - len(line.lstrip())
        is_own = _OWN <= column < _CONTINUED
        begins = not joined or is_own or (joined[-1].startswith(OWN_LINE) and column < _OWN)
        if begins:
            joined.append(OWN_LINE + text if is_own else text)
        else:
            joined[-1] += f" {text}"
    return "\n".join(joined)


def _leading_comment(text: str) -> list[str]:
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.rstrip())
    return lines
