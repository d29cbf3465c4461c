"""docs/processors.md names every file that asks for an instruction set or a kind of processor."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NATIVE = ROOT / "native"
# Macros by which compilers name the target: __AVX512F__, __x86_64__, __ARM_FEATURE_SVE_BITS, ...
_TARGET = re.compile(
    r"^\s*#\s*(?:el)?if.*\b__(?:x86_64|i386|aarch64|arm|powerpc64|riscv\w*|s390x|GNUC|"
    r"AVX\w*|SSE\w*|FMA|BMI2?|ARM_FEATURE_\w+)(?:__)?\b",
    re.MULTILINE,
)


def asks(text: str) -> bool:
    """Whether a source is not the same for all processors."""
    return bool(_TARGET.search(text))


def named() -> set[str]:
    """Files in the first column of the page's tables."""
    rows = (ROOT / "docs/processors.md").read_text(encoding="utf-8").splitlines()
    return {
        name
        for row in rows
        if row.startswith("| `")
        for name in re.findall("`([^`]+)`", row.split("|")[1])
    }


def test_every_file_that_asks_is_named() -> None:
    sources = [path for kind in ("*.cpp", "*.hpp") for path in NATIVE.rglob(kind)]
    asking = {
        str(path.relative_to(NATIVE)).removeprefix("benchmarks/")
        for path in sources
        if "tests" not in path.relative_to(NATIVE).parts and asks(path.read_text(encoding="utf-8"))
    }
    assert asking
    assert asking <= named()


def test_every_named_file_exists() -> None:
    missing = [
        name
        for name in named()
        if not (NATIVE / name).is_file() and not (NATIVE / "benchmarks" / name).is_file()
    ]
    assert not missing


@pytest.mark.parametrize(
    "line", ["#if defined(__AVX512F__)", "#  elif defined(__x86_64__) && X", "#if __FMA__ > 0"]
)
def test_a_question_is_found(line: str) -> None:
    assert asks(f"int a;\n{line}\n")
    assert not asks("#if HEOROT_WITH_MPI\n// __AVX512F__\n")
