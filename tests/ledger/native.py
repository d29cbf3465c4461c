"""Digests of the native code at the last time that sanitizers and clang-tidy found nothing.

What a tool reports of a file or a program depends on its text without comments, the headers of ours
that it includes, the words of the compiler and the arguments of the tool: on their digest.
A comment that suppresses a warning counts. native.json in this folder has the digests of the last
check in which everything was clean, so that a machine without checks of its own omits unchanged
files. A build remembers later clean results of its own.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LEDGER = Path(__file__).with_suffix(".json")
_HERE = ".clean.json"  # in a build
_INCLUDE = re.compile(rb'^#include "(.+)"', re.MULTILINE)
_COMMENT = re.compile(rb"^\s*//(?!.*NOLINT).*\n|^\s*\n", re.MULTILINE)
_FOLDERS = (ROOT / "native", ROOT / "native" / "tests")  # where our headers are looked for


@cache
def headers(path: Path) -> frozenset[Path]:
    """All headers of ours that a file includes, directly or not."""
    named = (part.decode() for part in _INCLUDE.findall(path.read_bytes()))
    folders = (*_FOLDERS, path.parent)
    direct = {folder / name for name in named for folder in folders if (folder / name).is_file()}
    return frozenset(direct.union(*(headers(header) for header in direct)))


def digest_of(words: Iterable[str], files: Iterable[Path]) -> str:
    """Sixteen hexadecimal digits of words, and of files with their includes.

    Args:
        words: what else counts, paths made relative (see `Build.relative`).
        files: below the root.
    """
    digest = hashlib.sha256()
    for word in words:
        digest.update(f"{word}\0".encode())
    for path in sorted({each for file in files for each in (file, *headers(file))}):
        content = _COMMENT.sub(b"", path.read_bytes())
        digest.update(f"{path.relative_to(ROOT)}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class Command:
    """How a source is compiled.

    Attributes:
        source: the file.
        output: what it becomes, as ninja calls it.
        words: the command, paths made relative.
    """

    source: Path
    output: str
    words: str


class Build:
    """A configured build: its commands, and the sources of its programs."""

    def __init__(self, folder: Path, tools: Path) -> None:
        self.folder, self._tools = folder.resolve(), tools
        text = (self.folder / "compile_commands.json").read_text(encoding="utf-8")
        self.commands = [
            Command(
                source=Path(one["file"]),
                output=one["output"].removeprefix(f"{self.folder}/"),
                words=self.relative(one["command"]),
            )
            for one in json.loads(text)
        ]

    def relative(self, text: str) -> str:
        """A text in which paths do not hang on where build and tree are."""
        return text.replace(str(self.folder), "BUILD").replace(str(ROOT), "ROOT")

    def made_of(self, target: str) -> tuple[list[str], set[Path]]:
        """The commands and the sources that a program consists of.

        Args:
            target: the program, as ninja calls it: its path in the build.
        """
        inputs = set(self.ask("ninja", "-C", self.folder, "-t", "inputs", target).splitlines())
        used = [each for each in self.commands if each.output in inputs]
        kernels = (Path(each) for each in inputs if each.endswith(".f90"))
        others = {each for each in kernels if each.is_relative_to(ROOT / "native")}
        return sorted(each.words for each in used), {each.source for each in used} | others

    def ask(self, tool: str, *words: str | Path) -> str:
        """The output of a tool of our environment."""
        argv = [str(self._tools / tool), *map(str, words)]
        return subprocess.run(argv, capture_output=True, text=True, check=True).stdout


class Ledger:
    """Clean digests: those in the tree, valid everywhere, and those of a build."""

    def __init__(self, section: str, build: Path, *, whole: bool, tree: Path = LEDGER) -> None:
        self._section, self._whole, self._tree = section, whole, tree
        self._file = build / f"{section}{_HERE}"

    def pending(self, digests: Mapping[str, str]) -> dict[str, str]:
        """The digests, by name, that have to be checked."""
        if self._whole:
            return dict(digests)
        known = _read(self._tree).get(self._section, {}).items() | _read(self._file).items()
        return {name: digest for name, digest in digests.items() if (name, digest) not in known}

    def add(self, clean: Mapping[str, str], everything: Mapping[str, str]) -> None:
        """Record checked and clean digests; in the tree, if these are all.

        Args:
            clean: digests by name.
            everything: those of all that there is.
        """
        kept = {name: each for name, each in _read(self._file).items() if name in everything}
        _write(self._file, kept | dict(clean))
        if self._whole and clean == everything:
            _write(self._tree, _read(self._tree) | {self._section: dict(clean)})

    def sentence(self, n_pending: int, n_all: int) -> str:
        """How much is left out."""
        if self._whole:
            return f"all {n_all} are looked at"
        return f"{n_all - n_pending} of {n_all} as they were when all of them were checked"


def _read(file: Path) -> dict[str, Any]:
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}


def _write(file: Path, content: Mapping[str, object]) -> None:
    text = json.dumps(content, indent=1, sort_keys=True) + "\n"
    unfinished = file.with_name(f"{file.name}.new")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(file)
