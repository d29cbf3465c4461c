"""Reads what a program's source says of itself in its first comment."""

from __future__ import annotations

import re
from pathlib import Path

from heorot.model.catalogue.benchmark import Header

_FIELD = re.compile(r"^//\s{1,4}(?P<name>[A-Z][a-z]+(?: [a-z]+)?)\s{2,}(?P<text>\S.*)$")


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
        name: the benchmark's name.

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
    # The question may go on in the next lines; an empty line or a section ends it.
    current = question
    for line in lines[1:]:
        named = _FIELD.match(line)
        if named:
            current = sections.setdefault(named["name"], [])
            current.append(named["text"].strip())
        elif line.strip("/ "):
            current.append(line.lstrip("/").strip())
        elif current is question:
            current = []
    return Header(
        question=" ".join(question),
        sections={name: " ".join(words) for name, words in sections.items()},
    )


def _leading_comment(text: str) -> list[str]:
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.rstrip())
    return lines
