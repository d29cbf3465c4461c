"""Clean code is omitted until something that it depends on has changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.ledger import native
from tests.ledger.native import Ledger, digest_of, headers


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree with a source that includes a header, which includes another."""
    monkeypatch.setattr(native, "ROOT", tmp_path)
    monkeypatch.setattr(native, "_FOLDERS", (tmp_path / "native", tmp_path / "native/tests"))
    (tmp_path / "native/harness").mkdir(parents=True)
    (tmp_path / "native/a.cpp").write_text('#include "harness/b.hpp"\n#include <vector>\n')
    (tmp_path / "native/harness/b.hpp").write_text('#include "harness/c.hpp"\n')
    (tmp_path / "native/harness/c.hpp").write_text("int c();\n")
    (tmp_path / "native/d.hpp").write_text("int d();\n")
    headers.cache_clear()
    return tmp_path / "native"


def test_headers_are_found_through_headers(tree: Path) -> None:
    assert headers(tree / "a.cpp") == {tree / "harness/b.hpp", tree / "harness/c.hpp"}


def test_a_digest_changes_with_all_that_counts_and_nothing_else(tree: Path) -> None:
    def digest(*words: str) -> str:
        headers.cache_clear()
        return digest_of(words or ("g++ -O1",), [tree / "a.cpp"])

    first = digest()
    (tree / "d.hpp").write_text("int other();\n")
    assert digest() == first
    assert digest("g++ -O2") != first
    (tree / "harness/c.hpp").write_text("// What c returns.\n\nint c();\n")
    assert digest() == first
    (tree / "harness/c.hpp").write_text("// NOLINTNEXTLINE\nint c();\n")
    assert digest() != first
    (tree / "harness/c.hpp").write_text("int c(int);\n")
    assert digest() != first


def test_what_is_as_written_down_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "native.json"
    file.write_text(json.dumps({"address": {"a": "1", "b": "2"}, "clang-tidy": {"c": "3"}}))
    ledger = Ledger("address", tmp_path, whole=False, tree=file)
    now = {"a": "1", "b": "9", "c": "3"}
    assert ledger.pending(now) == {"b": "9", "c": "3"}
    ledger.add({"b": "9"}, now)
    assert ledger.pending(now) == {"c": "3"}  # this build knows
    other = tmp_path / "other"
    other.mkdir()
    assert Ledger("address", other, whole=False, tree=file).pending(now) == {"b": "9", "c": "3"}


@pytest.mark.parametrize("clean", [{"a": "1"}, {"a": "1", "b": "2"}])
def test_only_when_all_of_it_is_clean_it_is_written_down(
    tmp_path: Path, clean: dict[str, str]
) -> None:
    file = tmp_path / "native.json"
    file.write_text(json.dumps({"address": {"old": "0"}, "clang-tidy": {"c": "3"}}))
    now = {"a": "1", "b": "2"}
    ledger = Ledger("address", tmp_path, whole=True, tree=file)
    assert ledger.pending(now) == now
    ledger.add(clean, now)
    address = clean if clean == now else {"old": "0"}
    assert json.loads(file.read_text()) == {"address": address, "clang-tidy": {"c": "3"}}


def test_how_much_is_left_out_is_said(tmp_path: Path) -> None:
    ledger = Ledger("address", tmp_path, whole=False)
    said = "412 of 420 as they were when all of them were checked"
    assert ledger.sentence(8, 420) == said
