"""No folder under native/ is fuller than its reader can hold: then it gets rooms."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

NATIVE = Path(__file__).resolve().parents[2] / "native"
MOST_FILES = 12  # a header and its source count once


def is_one_of_many(path: Path) -> bool:
    """Tell whether a file is in a list of equals, such as programs or mutations."""
    is_program = path.parts[0] == "benchmarks" and len(path.parts) == 3
    return (is_program and path.suffix == ".cpp") or path.suffix == ".txt"


def full_folders(native: Path) -> list[str]:
    """List the folders with too many files, relative to native/."""
    files = defaultdict(set)
    for path in native.rglob("*"):
        inside = path.relative_to(native)
        if path.is_file() and not is_one_of_many(inside):
            files[inside.parent].add(inside.stem)
    return sorted(str(folder) for folder, stems in files.items() if len(stems) > MOST_FILES)


def test_no_folder_is_too_full() -> None:
    assert full_folders(NATIVE) == []


def test_a_full_folder_is_found(tmp_path: Path) -> None:
    for folder in ("harness", "benchmarks/npb", "benchmarks/npb/lu", "tests/mutations/npb"):
        (tmp_path / folder).mkdir(parents=True)
    for number in range(MOST_FILES):
        for suffix in (".hpp", ".cpp"):
            (tmp_path / "harness" / f"a{number}{suffix}").touch()
    assert full_folders(tmp_path) == []
    (tmp_path / "harness" / "CMakeLists.txt").touch()
    for number in range(MOST_FILES + 1):
        (tmp_path / "benchmarks/npb" / f"a{number}.cpp").touch()
        (tmp_path / "tests/mutations/npb" / f"a{number}.txt").touch()
    assert full_folders(tmp_path) == []
    for number in range(MOST_FILES + 1):
        (tmp_path / "benchmarks/npb/lu" / f"a{number}.cpp").touch()
    (tmp_path / "harness" / "one_more.hpp").touch()
    assert full_folders(tmp_path) == ["benchmarks/npb/lu", "harness"]
