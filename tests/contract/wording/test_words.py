"""Words that are out are in no text, help, comment or name that list.yaml covers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.contract.wording import words
from tests.contract.wording.words import (
    LIST,
    ROOT,
    Allowed,
    expression,
    files_of,
    identifiers,
    in_names,
    in_text,
    main,
    prose,
    wording,
)

LISTED = wording()


def inside(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("pattern", LISTED.covered.prose)
def test_no_word_that_is_out_is_read(pattern: str) -> None:
    files = list(files_of((pattern,)))
    assert files, f"{pattern} stands for no file"
    found = [each for path in files for each in in_text(inside(path), path.read_text("utf-8"))]
    assert found == []


def test_every_page_begins_with_the_question_that_it_answers() -> None:
    pages = [path for path in files_of(LISTED.covered.prose) if "docs" in path.parts]
    begin = re.compile(r"# [^\n]+\n\nThis page \w+")
    assert len(pages) > 10
    assert [inside(path) for path in pages if not begin.match(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("pattern", LISTED.covered.names)
def test_no_word_that_is_out_is_a_name(pattern: str) -> None:
    files = list(files_of((pattern,)))
    assert files, f"{pattern} stands for no file"
    assert [each for path in files for each in in_names(ROOT, path)] == []


def is_needed(exception: Allowed) -> bool:
    """Whether a word would be found without the exception."""
    out = [expression(each.out) for each in LISTED.prose]
    return any(
        each.search(match[0])
        for path in files_of(LISTED.covered.prose)
        if path.relative_to(ROOT).match(exception.file)
        for match in expression(exception.text).finditer(
            prose(path.suffix, path.read_text("utf-8"))
        )
        for each in out
    )


@pytest.mark.slow
def test_every_exception_is_needed() -> None:
    assert [each.text for each in LISTED.allowed if not is_needed(each)] == []
    assert not is_needed(Allowed(file="docs/*.md", text="queue wait", why="none"))


def test_an_exception_holds_for_its_words_in_its_files(monkeypatch: pytest.MonkeyPatch) -> None:
    exception = Allowed(file="docs/a.md", text="24 hours a day", why="a day of the calendar")
    listed = LISTED.model_copy(update={"allowed": (exception,)})
    monkeypatch.setattr(words, "wording", lambda: listed)
    assert in_text("docs/a.md", "It runs 24 hours a\nday.\n") == []
    assert len(in_text("docs/a.md", "It runs all day.\n")) == 1
    assert len(in_text("docs/b.md", "It runs 24 hours a day.\n")) == 1


def test_no_better_word_is_out() -> None:
    assert len(LISTED.prose) > 60
    assert [found for each in LISTED.prose for found in in_text("a.md", each.better)] == []


def test_a_finding_has_file_line_word_and_better_word() -> None:
    text = "It is\ntranslations at\nhand that count.\n"
    (found,) = in_text("docs/a.md", text)
    assert found == 'docs/a.md:2: "translations at hand": dTLB reach; page walk'


@pytest.mark.parametrize(
    ("suffix", "text", "read"),
    [
        (".md", "The `told` of [it](told.md)\n", "The of [it"),
        (".md", "```sh\nheorot told  # why told\n```\nb `x`\n", "# why told b"),
        (".md", "```text\ntold `a`\n```\n", "told"),
        (".j2", '<p class="told">{{ told }}Told{% if told %}.</p>', "Told ."),
        (".py", 'told = "told"  # of it\n', "of it"),
        (".py", 'def told() -> str:\n    """It was {told}."""\n', '"""It was ."""'),
        (".py", 'a = f"{told} was so"\n', 'f" was so"'),
        (".cpp", '// It was so.\ntold("told"); f("it is told");\n', 'It was so. "it is told"'),
        (".json", '{"told": "it is told"}\n', '"it is told"'),
        (".yaml", "told: x  # of it\n", "of it"),
    ],
)
def test_only_what_people_read_counts(suffix: str, text: str, read: str) -> None:
    kept = prose(suffix, text)
    assert kept.split() == read.split()
    assert kept.count("\n") == text.count("\n")


def test_names_are_those_that_a_source_defines(tmp_path: Path) -> None:
    python = tmp_path / "a.py"
    python.write_text(
        "class Fate:\n    _b: int\n\n    def c(self, d: int) -> None:\n        e = f\n"
    )
    names = {name for _, name in identifiers(python)}
    assert names == {"a", tmp_path.name, "Fate", "c", "self", "d", "e"}
    assert in_names(tmp_path, python) == [
        'a.py:1: "Fate": JobState, failure_reason, classify_outcome'
    ]
    native = tmp_path / "told.cpp"
    native.write_text('// study\nint study = f("study");\n')
    assert [found.split(": ")[:2] for found in in_names(tmp_path, native)] == [
        ["told.cpp:1", '"told"'],
        ["told.cpp:2", '"study"'],
    ]


def test_words_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "a.md"
    page.write_text("It told of one that was told of it.\n")
    assert main(["-v", str(page)]) == 0
    first, *places, last = capsys.readouterr().out.splitlines()
    assert first.endswith(" 9 words    2 out  22.22 per 100")
    assert last.split() == ["all", *first.split()[1:]]
    assert len(places) == 2
    assert LIST.is_file()
