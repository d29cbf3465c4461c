"""Which programs and native tests have to run with sanitizers: those that are not as they were.

    python -m tests.ledger.sanitized pending BUILD SETTINGS [--whole]
        a line for each: kind, name, digest and, of a test, what ctest calls it, with commas
    python -m tests.ledger.sanitized clean BUILD SETTINGS FILE [--whole]
        writes down that those are clean which FILE has lines of

SETTINGS are the options of sanitizers: with other ones all have to run again.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from heorot.families import BENCHMARKS
from tests.ledger.native import ROOT, Build, Ledger, digest_of

_ADD_TEST = re.compile(r'^add_test\("([^"]+)" (.*)\)$', re.MULTILINE)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"|\[\[(.*?)\]\]')
_TOOLS = Path(sys.prefix) / "bin"


@dataclass(frozen=True)
class Subject:
    """A program, or a native test with all the ways in which it runs.

    Attributes:
        kind: `program` or `test`.
        name: of the program, or of the test's own one.
        digest: of all that it depends on.
        runs: what ctest calls the ways of a test.
    """

    kind: str
    name: str
    digest: str
    runs: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """Its text in files and between programs."""
        return " ".join((self.kind, self.name, self.digest, ",".join(self.runs))).strip()


def subjects(build: Build, settings: str) -> Iterator[Subject]:
    """All programs of a build, then its native tests.

    Args:
        build: configured with sanitizers.
        settings: options of the sanitizers.
    """
    # Sanitizers know nothing of what a compiler for devices has made.
    for benchmark in (each for each in BENCHMARKS if not each.compilers):
        commands, sources = build.made_of(f"bin/{benchmark.name}")
        if commands:
            inputs = (one.sha256 for one in benchmark.tiny.needs.inputs)
            words = [settings, str(benchmark.tiny.options), *inputs, *commands]
            digest = digest_of(words, sources)
            yield Subject("program", benchmark.name, digest)
    for name, runs in native_tests_in(build).items():
        yield _test(build, name, runs, settings)


def native_tests_in(build: Build) -> dict[str, dict[str, list[str]]]:
    """The ways in which native tests run, by the program that each is a test of: their words."""
    # ctest itself does not list programs that are not built yet.
    tests: dict[str, dict[str, list[str]]] = {}
    for file in sorted(build.folder.rglob("CTestTestfile.cmake")):
        for name, command in _ADD_TEST.findall(file.read_text(encoding="utf-8")):
            quoted = (plain or raw for plain, raw in _QUOTED.findall(command))
            words = [part for word in quoted for part in re.split("[;=]", word)]
            own = [Path(word).name for word in words if word.startswith(f"{build.folder}/tests/")]
            if own:
                tests.setdefault(own[0], {})[name] = words
    return tests


def _test(build: Build, name: str, runs: Mapping[str, list[str]], settings: str) -> Subject:
    words = [settings, *(build.relative(word) for way in runs.values() for word in way)]
    files: set[Path] = set()
    for word in sorted({word for way in runs.values() for word in way}):
        path = Path(word)
        if path.is_relative_to(build.folder):
            commands, sources = build.made_of(str(path.relative_to(build.folder)))
            words += commands
            files |= sources
        elif path.is_relative_to(ROOT / "native") or path.is_relative_to(ROOT / "tests"):
            files |= {each for each in (path, *path.rglob("*")) if each.is_file()}
    return Subject("test", name, digest_of(words, files), tuple(runs))


def main() -> int:
    """Print what is pending, or record what is clean."""
    parser = argparse.ArgumentParser(prog="python -m tests.ledger.sanitized")
    parser.add_argument("action", choices=("pending", "clean"))
    parser.add_argument("build", type=Path)
    parser.add_argument("settings")
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--whole", action="store_true")
    asked = parser.parse_args()
    build = Build(asked.build, _TOOLS)
    found = list(subjects(build, f"{asked.settings} {_compiler(build)}"))
    digests = {f"{each.kind} {each.name}": each.digest for each in found}
    ledger = Ledger("address", build.folder, whole=asked.whole)
    if asked.action == "pending":
        pending = ledger.pending(digests)
        sys.stderr.write(f"{ledger.sentence(len(pending), len(digests))}\n")
        for each in found:
            if f"{each.kind} {each.name}" in pending:
                sys.stdout.write(f"{each.line}\n")
        return 0
    lines = asked.file.read_text(encoding="utf-8").splitlines()
    clean = {" ".join(line.split()[:2]): line.split()[2] for line in lines}
    ledger.add(clean, digests)
    return 0


def _compiler(build: Build) -> str:
    """Name and version of a build's compiler."""
    first = next(each for each in build.commands if each.source.suffix == ".cpp")
    words = shlex.split(first.words)
    compiler = next(word for word in words if "=" not in word and not word.startswith("ROOT/"))
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    return said.stdout.splitlines()[0]


if __name__ == "__main__":
    sys.exit(main())
