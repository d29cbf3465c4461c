"""Namespaces under native/: what programs share is in heorot, a folder of its own adds its name.

- harness/ and numerics/ with their rooms, headers right in a family's folder: `heorot`.
- benchmarks/family/name/, be it a program or parts: `heorot::name`.
- tests/ with its rooms: `heorot::tests`.
- A file with `main`: everything else in it is in an anonymous namespace.

`internal`, for what only templates in headers need, may follow either name.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

NATIVE = Path(__file__).resolve().parents[2] / "native"
COLUMNS = ("harness", "numerics", "benchmarks", "watch", "monitor", "scheduler", "tests")

# What only looks like code: comments, strings, characters, preprocessor lines.
NOT_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<!\w)'(?:\\.|[^'\\\n])+'|^\s*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE,
)
MAIN = re.compile(r"int main\([^)]*\)\s*\Z")
NAMESPACE = re.compile(r"namespace\s*([\w:]*)\s*\Z")
USING = re.compile(r"(?:using\b[^;{}]*|namespace \w+ = [\w:]+);")


def outermost(text: str) -> list[str]:
    """List the texts outside all braces, one before each block."""
    code = NOT_CODE.sub("", text)
    heads, begin, depth = [], 0, 0
    for brace in re.finditer(r"[{}]", code):
        if brace[0] == "{":
            if depth == 0:
                heads.append(USING.sub("", code[begin : brace.start()]).strip())
            depth += 1
        else:
            depth -= 1
            begin = brace.end()
    return [*heads, USING.sub("", code[begin:]).strip()]


def wanted_namespace(path: Path) -> str:
    """Name the namespace of a file, relative to native/, that has no `main`."""
    if path.parts[0] == "tests":
        return "heorot::tests"
    if path.parts[0] in {"watch", "monitor", "scheduler"}:
        return f"heorot::{path.parts[0]}"
    if path.parts[0] == "numerics":
        return "::".join(("heorot", *path.parts[1:-1]))
    is_own = path.parts[0] == "benchmarks" and len(path.parts) > 3
    return f"heorot::{path.parts[2]}" if is_own else "heorot"


def namespace_violation(path: Path, text: str) -> str | None:
    """The violation of the rule in a file, whose path is relative to native/, or None."""
    *heads, rest = outermost(text)
    if rest:
        return f"{path}: outside all namespaces: {rest}"
    has_main = any(MAIN.search(head) for head in heads)
    wanted = wanted_namespace(path)
    allowed = {""} if has_main else {wanted, f"{wanted}::internal"}
    for head in heads:
        if has_main and MAIN.fullmatch(head):
            continue
        found = NAMESPACE.fullmatch(head)
        if found is None:
            return f"{path}: outside all namespaces: {head}"
        if found[1] not in allowed:
            return f"{path}: in namespace '{found[1]}', not '{min(allowed)}'"
    return None


def test_every_file_is_in_the_namespace_of_its_folder() -> None:
    paths = [
        path.relative_to(NATIVE)
        for column in COLUMNS
        for path in sorted((NATIVE / column).rglob("*.[ch]pp"))
    ]
    assert len(paths) > 100
    violations = [
        namespace_violation(path, (NATIVE / path).read_text(encoding="utf-8")) for path in paths
    ]
    assert list(filter(None, violations)) == []


MAIN_TEXT = "int main(int argc, char** argv) {\n    return run(argc, argv);\n}\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("harness/record/json.hpp", '#include "a.hpp"\nnamespace heorot {\nint f();\n}\n'),
        ("harness/array.cpp", "namespace heorot::internal {\nint f() { return 1'000; }\n}\n"),
        ("benchmarks/npb/published.hpp", "namespace heorot {\n// }\nchar c = '{';\n}\n"),
        ("benchmarks/npb/flow/field.cpp", "namespace heorot::flow {\nnamespace {\n}\n}\n"),
        ("benchmarks/npb/ep.cpp", f"namespace {{\nint n = 1;\n}}\n{MAIN_TEXT}"),
        ("benchmarks/npb/lu/lu.cpp", f"namespace {{\n}}\nnamespace {{\n}}\n\n{MAIN_TEXT}"),
        ("tests/npb/test_lu.cpp", "using namespace heorot;\nnamespace {\n}\nint main() {\n}\n"),
    ],
)
def test_a_right_namespace_is_accepted(path: str, text: str) -> None:
    assert namespace_violation(Path(path), text) is None


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("harness/record/json.hpp", "namespace heorot::record {\n}\n"),
        ("harness/array.cpp", "int f() {\n    return 1;\n}\n"),
        ("numerics/fft.cpp", "namespace {\nint n = 1;\n}\nnamespace heorot {\n}\n"),
        ("numerics/fft.cpp", "extern int n;\nnamespace heorot {\n}\n"),
        ("numerics/fft.cpp", "namespace heorot {\n}\nextern int n;\n"),
        ("benchmarks/messages/words.hpp", "namespace heorot::words {\n}\n"),
        ("benchmarks/npb/mg/field.cpp", "namespace mg {\n}\n"),
        ("benchmarks/npb/flow/field.cpp", "namespace heorot {\n}\n"),
        ("benchmarks/npb/mg/mg.cpp", f"namespace heorot::mg {{\n}}\n{MAIN_TEXT}"),
        ("benchmarks/npb/ep.cpp", f"void ep() {{\n}}\n{MAIN_TEXT}"),
        ("benchmarks/npb/ep.cpp", f"int n;\n{MAIN_TEXT}"),
        ("tests/testing.hpp", "namespace heorot {\n}\n"),
    ],
)
def test_a_wrong_namespace_is_found(path: str, text: str) -> None:
    violation = namespace_violation(Path(path), text)
    assert violation is not None
    assert violation.startswith(path)
