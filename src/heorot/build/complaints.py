"""Finds in what CMake, ninja and compilers print why something was not built."""

from __future__ import annotations

import re

from heorot.build.work import target_of

_PROGRESS = re.compile(r"^\[\d+/\d+\] ")
_ERROR = re.compile(r"\b(fatal )?error\b|undefined reference|cannot find -l", re.IGNORECASE)


def complaint_about(name: str, output: str) -> str:
    """The first error in what ninja printed for the steps that failed for a program, or empty.

    A step that failed begins with `FAILED:` and what it should have made, and ends where ninja
    announces the next one.
    """
    own: list[str] = []
    inside = False
    for line in output.splitlines():
        if line.startswith("FAILED: "):
            inside = f"/{target_of(name)}.dir/" in line or f"bin/{name}" in line
        elif _PROGRESS.match(line) or line.startswith("ninja: "):
            inside = False
        if inside:
            own.append(line)
    return (first_error("\n".join(own)) or own[0]) if own else ""


def first_error(output: str) -> str:
    """The first line in which a compiler or a linker complains, or empty."""
    lines = output.splitlines()
    return next((line.strip() for line in lines if _ERROR.search(line)), "")


def cmake_error(output: str) -> str:
    """The text of CMake's first error on one line, or empty."""
    _, _, text = output.partition("CMake Error")
    paragraph: list[str] = []
    for line in text.splitlines()[1:]:
        if line.strip():
            paragraph.append(line.strip())
        elif paragraph:
            break
    return " ".join(paragraph)
