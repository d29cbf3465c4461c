"""Finds words that are out, and counts them: `python -m tests.contract.wording.words [-v] FILE...`.

The list is list.yaml. Of each file the words in it, how many are out, and how many of 100 words
that is are printed; with -v each place with the better word.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[3]
LIST = Path(__file__).with_name("list.yaml")
WORD = re.compile(r"[^\W\d_][\w'-]*")

_QUOTED = r'"(?:[^"\\\n]|\\.)*"'
_CODE = r"^```(?:sh|console|yaml|python|cpp|cmake)\n.*?^```"
_MARKDOWN = re.compile(
    rf"{_CODE}|^```\w*$|`[^`]+`|[\w.*-]+/(?=\s)|\]\([^)]*\)", re.MULTILINE | re.DOTALL
)
_TEMPLATE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|<(?:style|script)\b.*?</|<[^>]*>", re.DOTALL)
_NATIVE = re.compile(rf"//[^\n]*|{_QUOTED}")
_NATIVE_NAME = re.compile(rf"{_NATIVE.pattern}|([^\W\d]\w*)")
_COMMENT = re.compile(r"^[ \t]*#[^\n]*|[ \t]#[ ][^\n]*", re.MULTILINE)
_MARKS = re.compile(r"///?|#!?|`[^`\n]*`|\{\w*\}")


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Out(_Record):
    """A word that is out.

    Attributes:
        out: a regular expression.
        better: what to write instead.
        files: pattern of the names of files in which a name is out.
    """

    out: str
    better: str
    files: str = "*"


class Allowed(_Record):
    """A place where a word is right.

    Attributes:
        file: which files, as a pattern from the root on.
        text: a regular expression of the word with what makes it right around it.
        why: what makes it right.
    """

    file: str
    text: str
    why: str


class Covered(_Record):
    """Patterns of files that are checked, from the root on."""

    prose: tuple[str, ...]
    names: tuple[str, ...]


class Wording(_Record):
    """The list: words that are out in prose and as identifiers, exceptions, files."""

    prose: tuple[Out, ...]
    names: tuple[Out, ...]
    allowed: tuple[Allowed, ...]
    covered: Covered


@cache
def wording() -> Wording:
    """The list as it stands in list.yaml."""
    return Wording.model_validate(YAML(typ="safe", pure=True).load(LIST.read_text("utf-8")))


def expression(text: str) -> re.Pattern[str]:
    """An expression of the list: in any case, a blank is any white space."""
    return re.compile(text.replace(" ", r"\s+"), re.IGNORECASE)


@cache
def _expressions() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((expression(each.out), each.better) for each in wording().prose)


def blanked(text: str, gaps: Iterator[tuple[int, int]]) -> str:
    """A text with blanks in the place of some spans, all lines where they were."""
    parts, end = [], 0
    for first, last in gaps:
        parts += [text[end:first], re.sub(r"[^\n]", " ", text[first:last])]
        end = last
    return "".join([*parts, text[end:]])


def _between(spans: Iterator[tuple[int, int]], end: int) -> Iterator[tuple[int, int]]:
    """The gaps between spans."""
    start = 0
    for first, last in spans:
        yield start, first
        start = last
    yield start, end


def _markdown(text: str) -> Iterator[tuple[int, int]]:
    """Where Markdown has code, comments in it left out, and the targets of links."""
    for match in _MARKDOWN.finditer(text):
        start, end = match.span()
        for comment in _COMMENT.finditer(match[0]) if "\n" in match[0] else ():
            yield start, match.start() + comment.start()
            start = match.start() + comment.end()
        yield start, end


def _python(text: str) -> Iterator[tuple[int, int]]:
    """Where comments and texts of more than one word are."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "COMMENT" or (kind in {"STRING", "FSTRING_MIDDLE"} and " " in token.string):
            (row, column), (last_row, last) = token.start, token.end
            yield starts[row - 1] + column, starts[last_row - 1] + last


def _spans(found: Iterator[re.Match[str]]) -> Iterator[tuple[int, int]]:
    return (match.span() for match in found)


def prose(suffix: str, text: str) -> str:
    """The prose of a file at its place: the rest is blank.

    Args:
        suffix: of the file, `.md` and so on; of others the comments that begin with `#`.
    """
    if suffix == ".md":
        return blanked(text, _markdown(text))
    if suffix in {".j2", ".html"}:
        return blanked(text, _spans(_TEMPLATE.finditer(text)))
    if suffix == ".py":
        kept = _python(text)
    elif suffix in {".cpp", ".hpp", ".json"}:
        found = _NATIVE.finditer(text)
        kept = (match.span() for match in found if " " in match[0])
    else:
        kept = _spans(_COMMENT.finditer(text))
    left = blanked(text, _between(kept, len(text)))
    return blanked(left, _spans(_MARKS.finditer(left)))


def identifiers(path: Path) -> Iterator[tuple[int, str]]:
    """Line and name of what a source defines (Python) or mentions (C++), its own name first.

    Annotated fields of classes are left out: many are keys of files, which stay.
    """
    text = path.read_text("utf-8")
    yield 1, path.stem
    yield 1, path.parent.name
    if path.suffix != ".py":
        for number, line in enumerate(text.split("\n"), 1):
            yield from ((number, match[1]) for match in _NATIVE_NAME.finditer(line) if match[1])
        return
    fields: set[ast.expr] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            fields |= {each.target for each in node.body if isinstance(each, ast.AnnAssign)}
        if node in fields:
            continue
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id


def in_text(file: str, text: str) -> list[str]:
    """Findings in the prose of a file: file, line, word, better word.

    Args:
        file: its path from the root on.
        text: what it holds.
    """
    read = re.sub("  +", " ", prose(Path(file).suffix, text))
    right = [
        match.span()
        for each in wording().allowed
        if Path(file).match(each.file)
        for match in expression(each.text).finditer(read)
    ]
    found = []
    matches = ((out.finditer(read), better) for out, better in _expressions())
    places = ((match.span(), better) for each, better in matches for match in each)
    # The longest of those that overlap.
    end = 0
    for (start, stop), better in sorted(places, key=lambda place: (place[0][0], -place[0][1])):
        if stop > end and not any(first <= start and stop <= last for first, last in right):
            line = read.count("\n", 0, start) + 1
            found.append(f'{file}:{line}: "{" ".join(read[start:stop].split())}": {better}')
            end = stop
    return found


def in_names(root: Path, path: Path) -> list[str]:
    """Findings among the identifiers of a source."""
    return [
        f'{path.relative_to(root)}:{line}: "{name}": {each.better}'
        for line, name in dict.fromkeys(identifiers(path))
        for each in _out_as_name(name.strip("_"))
        if path.match(each.files)
    ]


@cache
def _out_as_name(name: str) -> tuple[Out, ...]:
    return tuple(each for each in wording().names if re.fullmatch(each.out, name))


def files_of(patterns: tuple[str, ...]) -> Iterator[Path]:
    """The files that patterns stand for, each once."""
    yield from dict.fromkeys(path for each in patterns for path in sorted(ROOT.glob(each)))


def main(arguments: list[str]) -> int:
    """Print a line for each file, and one for all."""
    files = [Path(each) for each in arguments if each != "-v"]
    total_words = total_out = 0
    for path in files:
        text = path.read_text("utf-8")
        found = in_text(str(path), text)
        words = len(WORD.findall(prose(path.suffix, text)))
        total_words, total_out = total_words + words, total_out + len(found)
        sys.stdout.write(_line(str(path), words, len(found)))
        for finding in found if "-v" in arguments else []:
            sys.stdout.write(f"  {finding}\n")
    sys.stdout.write(_line("all", total_words, total_out))
    return 0


def _line(name: str, words: int, out: int) -> str:
    return f"{name:40} {words:6} words {out:4} out {100 * out / max(words, 1):6.2f} per 100\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
