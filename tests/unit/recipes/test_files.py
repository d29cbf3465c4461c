"""Files that are not recipes, and how recipes are found."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from heorot.errors import RecipeError, UsageError
from heorot.recipes.read import find, read_recipe, shipped
from tests.unit.damage import assert_one_line
from tests.unit.recipes.conftest import SMALL, changed, line_of, read

# A few values, but 500 MB of text.
_LONG_WORDS = f"a: &a {'x' * 50000}\nb: [{'*a,' * 5000}'']\n".encode()


def _refused(file: Path) -> str:
    with pytest.raises(RecipeError) as caught:
        read_recipe(file)
    assert_one_line(caught.value, file)
    return str(caught.value).removeprefix(str(file))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", ":1: not a recipe: keys such as `command:` are missing"),
        (b"# nothing\n", ":1: not a recipe"),
        (b"- a\n- b\n", ":1: not a recipe"),
        (b"words\n", ":1: not a recipe"),
        (b"name: a\nname: b\n", ":2: not YAML: found duplicate key `name`"),
        (b"name: [a\n", "not YAML"),
        (b"name: a\n\tb: c\n", ":2: not YAML"),
        (b"name: !x [a]\n", ":1: the tag `!x` is not understood"),
        (b"name: &a [*a]\n", ":1: its aliases stand for more"),
        (_LONG_WORDS, ": its aliases stand for more"),
        (b"name: a\nmost: " + b"9" * 60000, ":2: `9999"),
        (b"name: a\nmost: 0x" + b"f" * 60000, ":2: `0xff"),
        (b"name: a\nmost: 18446744073709551616", "` is no int"),
        (b"name: " + b"[" * 60000, "nested more than 50 deep"),
        (b"\xff\xfe\x00name", ": is not text in UTF-8"),
        (SMALL.encode() + b"#" * (1 << 16), ": is longer than 64 KiB"),
    ],
)
def test_what_is_no_recipe(tmp_path: Path, content: bytes, what: str) -> None:
    (tmp_path / "a.yaml").write_bytes(content)
    assert what in _refused(tmp_path / "a.yaml")


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    assert _refused(tmp_path / "pipe.yaml") == ": cannot be read: it is not a regular file"
    assert _refused(tmp_path) == ": cannot be read: it is a directory"
    assert _refused(tmp_path / "none.yaml") == ": cannot be read: No such file or directory"


def test_an_installed_program_begins_with_its_command(tmp_path: Path) -> None:
    head = SMALL[: SMALL.index("build:")] + SMALL[SMALL.index("parameters:") :]
    text = head + "installed: {command: sh, package: dash}\n"
    with pytest.raises(RecipeError, match=r"must begin with `\{installed\}`: there is no build"):
        read(tmp_path, text)
    command = SMALL[SMALL.index("command:") : SMALL.index("output:")]
    recipe = read(tmp_path, text.replace(command, "command: '{installed} {size}'\n"))
    assert recipe.installed is not None
    read(tmp_path, text.replace(command, "command: {shell: '{installed} > {size}'}\n"))


def test_shipped_recipes_are_found_by_name_and_others_by_file(tmp_path: Path) -> None:
    for name, file in shipped().items():
        assert find(name) == file
    assert find("mine.yaml") == Path("mine.yaml")
    assert find(f"{tmp_path}/mine") == tmp_path / "mine"


def test_a_file_without_an_ending_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").write_text(SMALL)
    monkeypatch.chdir(tmp_path)
    assert find("mine") == Path("mine")


def test_a_name_that_nobody_has_gets_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heorot.recipes.read.shipped", lambda: {"stream": Path("s.yaml")})
    with pytest.raises(UsageError, match="there is no recipe 'steam'") as caught:
        find("steam")
    assert caught.value.hint == "did you mean stream?"
    with pytest.raises(UsageError) as caught:
        find("quicksort")
    assert "recipe list" in caught.value.hint


_SIZE, _RANKS = "size: {coordinate: size}\n", "    ranks: 1\n"


@pytest.mark.parametrize(
    ("after", "line", "what"),
    [
        (
            _SIZE,
            "telling: [cores, node]",
            "`telling.1`: Input should be 'speed', 'links', 'equals', 'node",
        ),
        (_SIZE, "problem: [size, cells]", "no case has `cells`"),
        (_SIZE, 'obtain: "two\\nlines"', "`obtain`: String should match pattern"),
        (
            _RANKS,
            "    fill: {value: size, share: 0.5, bytes: 8, power: 2}",
            "`size` stands for something else",
        ),
        (
            _RANKS,
            "    fill: {value: px, share: 0.5, bytes: 8, power: 2}",
            "`px` stands for something else",
        ),
        (
            _RANKS,
            "    fill: {value: n, share: 0.9, bytes: 8, power: 2}",
            "`cases.0.fill.share`: Input should be less than or equal to 0.8",
        ),
        (
            _RANKS,
            "    fill: {value: n, share: 0.5, bytes: 8, power: 2, per: rank}",
            "unknown key `cases.0.fill.per`",
        ),
        (_RANKS, "    fill: {value: n, share: 0.5}", "`cases.0.fill.bytes` is missing"),
    ],
)
def test_wrong_questions_and_sizes_are_told_with_their_line(
    tmp_path: Path, after: str, line: str, what: str
) -> None:
    text = changed(after, f"{after}{line}\n")
    (tmp_path / "small.yaml").write_text(text)
    at = line_of(text, line.partition(":")[0])
    assert _refused(tmp_path / "small.yaml").startswith(f":{at}: {what}")
