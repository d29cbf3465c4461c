"""Rooms: only families know programs, folders hold few files, functions few lines.

The rules are functions from a tree to its violations, so that each is also shown to fail.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from heorot.families import BENCHMARKS

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("src", "native", "tests", "tools")
MOST_FILES = 12
MOST_LINES = 40
CAPTURED = "tests/samples/machine"  # which lies there as on the machines it was taken from


def files(root: Path, places: Iterable[str] = PLACES) -> Iterator[Path]:
    """Yield every file of a tree that people wrote."""
    for place in places:
        for path in sorted((root / place).rglob("*")):
            inside = path.relative_to(root)
            hidden = any(part.startswith((".", "__pycache__")) for part in inside.parts)
            if path.is_file() and not hidden and not inside.is_relative_to(CAPTURED):
                yield path


def is_python(path: Path) -> bool:
    """Return whether a file is a module or a Python script."""
    if path.suffix:
        return path.suffix == ".py"
    return bool(re.match(r"#!.*\bpython3?\n", path.read_text(encoding="utf-8")))


# --- programs -----------------------------------------------------------------------------------


def strings(tree: ast.Module, explaining: Sequence[str]) -> Iterator[ast.Constant]:
    """Yield the strings of a module but its docstrings and those with these names."""
    explained = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in explaining)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in explained
        ):
            yield node


def namings(package: Path, programs: Sequence[str]) -> list[str]:
    """List where a file outside the families names a program, in full or by its last name."""
    # Two letters are a word of English too often: npb/is. So is the name of what many things have.
    last_names = {name for program in programs if len(name := program.partition("/")[2]) > 2}
    last_names -= {"latency"}
    found = []
    for path in files(package, ["."]):
        inside = path.relative_to(package)
        # A recipe names our program that measures the same, a file of jobs what they stand for, the
        # rules of a published source what its figures are compared with.
        shipped = ("recipes/shipped/*/*.yaml", "workload/shipped/*.yaml", "published/*/rules.yaml")
        if inside.parts[0] == "families" or any(map(inside.match, shipped)):
            continue
        text = path.read_text(encoding="utf-8")
        if path.suffix != ".py":
            found += [f"{inside}: {program}" for program in programs if program in text]
            continue
        # The help of a command may have examples.
        explaining = ["_EPILOG"] if inside.parts[0] == "cli" else []
        for node in strings(ast.parse(text), explaining):
            value = str(node.value)
            if value in last_names or any(program in value for program in programs):
                found.append(f"{inside}:{node.lineno}: {value}")
    return found


@pytest.mark.slow
def test_only_families_know_programs() -> None:
    assert namings(ROOT / "src/heorot", [benchmark.name for benchmark in BENCHMARKS]) == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("analyse/a.py", 'if row.benchmark == "stones/flint":\n    pass\n'),
        ("analyse/a.py", 'x = f"only stones/flint{y}"\n'),
        ("session/a.py", 'name.endswith("flint")\n'),
        ("cli/a.py", '_HELP = "heorot run stones/flint"\n'),
        ("analyse/a.py", '_EPILOG = "heorot run stones/flint"\n'),
        ("report/a.j2", "<b>stones/flint</b>\n"),
    ],
)
def test_a_program_named_elsewhere_is_found(tmp_path: Path, file: str, text: str) -> None:
    (tmp_path / file).parent.mkdir()
    (tmp_path / file).write_text(text)
    (violation,) = namings(tmp_path, ["stones/flint"])
    assert violation.startswith(file)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("families/a.py", 'x = "stones/flint"\n'),
        ("analyse/a.py", '"""Such as stones/flint."""\n'),
        ("analyse/a.py", 'def a():\n    """As `flint` does."""\n'),
        ("analyse/a.py", "# as stones/flint\nflint = 1\n"),
        ("analyse/a.py", 'x = "flints"\n'),
        ("cli/a.py", '_EPILOG = """heorot run stones/flint"""\n'),
    ],
)
def test_what_only_explains_is_no_knowledge(tmp_path: Path, file: str, text: str) -> None:
    (tmp_path / file).parent.mkdir()
    (tmp_path / file).write_text(text)
    assert namings(tmp_path, ["stones/flint"]) == []


# --- folders ------------------------------------------------------------------------------------


def crowds(root: Path) -> list[str]:
    """List folders with more files than a reader can hold."""
    rooms: dict[str, set[str]] = {}
    for path in files(root):
        # What is written by a program is no file to read.
        if path.name not in {"__init__.py", "CMakeLists.txt", "programs.json"}:
            # A header and its source are one thing to a reader.
            name = path.stem if path.suffix in {".cpp", ".hpp"} else path.name
            rooms.setdefault(str(path.parent.relative_to(root)), set()).add(name)
    return [
        f"{room}: {len(names)} files"
        for room, names in sorted(rooms.items())
        if len(names) > MOST_FILES
    ]


def test_no_folder_is_crowded() -> None:
    assert crowds(ROOT) == []


def test_a_crowded_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "native").mkdir()
    for number in range(MOST_FILES):
        (tmp_path / f"native/f{number}.cpp").touch()
        (tmp_path / f"native/f{number}.hpp").touch()
    (tmp_path / "native/CMakeLists.txt").touch()
    (tmp_path / "native/__init__.py").touch()
    assert crowds(tmp_path) == []
    (tmp_path / "native/f0.cmake").touch()
    assert crowds(tmp_path) == ["native: 13 files"]


# --- functions ----------------------------------------------------------------------------------


def python_functions(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield first line, lines of the body without the docstring, and name of every function."""
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[ast.get_docstring(node) is not None :]
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            length = (node.end_lineno or 0) - body[0].lineno + 1 if body else 0
            yield first, length, node.name


CLASS = re.compile(r"(?:template <.*> )?(?:class|struct|union|enum)\b")
NO_FUNCTION = ("namespace", "extern", "using")
ACCESS = re.compile(r"\s+\w+:$")


def native_functions(lines: Sequence[str], offset: int = 1) -> Iterator[tuple[int, int, str]]:
    """Yield the same of C++ as clang-format writes it: a body ends with a brace as far left.

    Args:
        lines: of a file, or of a class without its indentation.
        offset: number of the first line.
    """
    head: int | None = None
    opened: int | None = None
    for number, line in enumerate(lines):
        if not line or line.startswith(("#", "//")):
            continue
        if opened is None:
            head = number if head is None and not line.startswith((" ", "}")) else head
            if head is None or line.endswith((";", "}")) or line.startswith(NO_FUNCTION):
                head = None
            elif line.endswith("{"):
                opened = number
        elif head is not None and line.startswith("}"):
            signature, inner = " ".join(lines[head : opened + 1]), lines[opened + 1 : number]
            if CLASS.match(signature):
                members = ["" if ACCESS.match(each) else each[4:] for each in inner]
                yield from native_functions(members, offset + opened + 1)
            elif line == "}":
                yield offset + head, len(inner), signature
            head = opened = None


def long_functions(root: Path) -> list[str]:
    """List functions that are too long, without the reason in a comment that names the limit."""
    found = []
    for path in files(root):
        is_native = path.suffix in {".cpp", ".hpp"}
        if not is_native and not is_python(path):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        functions = native_functions(lines) if is_native else python_functions(lines)
        for first, length, name in functions:
            excused = first > 1 and f"{MOST_LINES} lines" in lines[first - 2]
            if length > MOST_LINES and not excused:
                found.append(f"{path.relative_to(root)}:{first}: {name}: {length} lines")
    return found


@pytest.mark.slow
def test_no_function_is_longer_than_a_screen() -> None:
    assert long_functions(ROOT) == []


def body(n_lines: int, indentation: str = "    ") -> str:
    """A body of `n_lines` lines in either language."""
    return f"{indentation}a(1);\n" * n_lines


PYTHON = 'def f():\n    """What it does.\n\n    And why.\n    """\n{}'
NATIVE = {
    "plain": "namespace {{\n\nint f(int a) {{\n{}}}\n\n}}  // namespace\n",
    "two lines": "int f(int a,\n      int b) {{\n{}}}\n",
    "constructor": "F::F(int a)\n    : a_(a),\n      b_(a) {{\n{}}}\n",
    "template": "int g();\ntemplate <int n>\n[[nodiscard]] int f() {{\n#ifdef A\n#endif\n{}}}\n",
}


def write(root: Path, name: str, text: str) -> None:
    (root / "native").mkdir(exist_ok=True)
    (root / "native" / name).write_text(text)


@pytest.mark.parametrize("n_lines", [MOST_LINES, MOST_LINES + 1])
def test_a_long_python_function_is_found(tmp_path: Path, n_lines: int) -> None:
    text = PYTHON.format(body(n_lines))
    write(tmp_path, "a.py", text)
    write(tmp_path, "script", f"#!/usr/bin/env python3\n{text}")
    write(tmp_path, "other", f"#!/bin/sh\n{text}")
    found = ["native/a.py:1: f: 41 lines", "native/script:2: f: 41 lines"]
    assert long_functions(tmp_path) == (found if n_lines > MOST_LINES else [])


@pytest.mark.parametrize("kind", NATIVE)
def test_a_long_native_function_is_found(tmp_path: Path, kind: str) -> None:
    conditional = 2 if kind == "template" else 0
    write(tmp_path, "a.cpp", NATIVE[kind].format(body(MOST_LINES - conditional)))
    assert long_functions(tmp_path) == []
    write(tmp_path, "a.cpp", NATIVE[kind].format(body(MOST_LINES + 1 - conditional)))
    (violation,) = long_functions(tmp_path)
    assert violation.endswith(": 41 lines")


def test_members_are_functions_and_classes_and_data_are_not(tmp_path: Path) -> None:
    member = f"  public:\n    int f() const {{\n{body(41, ' ' * 8)}    }}\n"
    write(tmp_path, "a.hpp", f"struct F {{\n{body(50)}{member}}};\n")
    assert long_functions(tmp_path) == ["native/a.hpp:53: int f() const {: 41 lines"]
    write(tmp_path, "a.hpp", f"constexpr std::array table = {{\n{body(50)}}};\n")
    assert long_functions(tmp_path) == []


def test_a_long_function_may_say_why(tmp_path: Path) -> None:
    why = f"More than {MOST_LINES} lines: a table of all there is.\n"
    write(tmp_path, "a.py", f"# {why}{PYTHON.format(body(50))}")
    write(tmp_path, "a.cpp", f"// {why}int f() {{\n{body(50)}}}\n")
    assert long_functions(tmp_path) == []
