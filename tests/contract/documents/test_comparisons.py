"""Comparisons with third-party code name its version and effort, in sentences and documents."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import heorot
from heorot.analyse.templates.template import Template
from heorot.families import BENCHMARKS
from heorot.model.catalogue.benchmark import Benchmark

ROOT = Path(__file__).resolve().parents[3]
_NAMES = (
    r"FFTW|OpenBLAS|BLAS|BLIS|MKL|LAPACK|SciPy|NumPy|vqsort|x86-simd-sort|ips4o|std::\w+|"
    r"MPI_Allreduce|NASA's|OSU|IMB|likwid|libstdc\+\+"
)
_NAMED = re.compile(rf"(?<!\w)(?:{_NAMES})(?!\w)")
_COMPARED = re.compile(
    r"\d+(?:\.\d+)? (?:times|of) (?:as|faster|slower|that)|(?:faster|slower) than|as fast as|"
    rf"\d times (?:the|{_NAMES})"
)
_VERSION = re.compile(r"(?<![\d.])\d+\.\d+(?:\.\d+)+|\d+\.\d+\)|\d\.\d+ \(|\d\.\d+, ")
_EFFORT = re.compile(r"MEASURE|ESTIMATE|kernels|flags|compiled|choice of algorithm|threads?\b|-O\d")
# Calls of third-party code, and the note of the version that the program must leave.
_CALLS = {
    r"libraries::Fftw": "fftw",
    r"libraries::Blas|using libraries::Blas|Blas& blas": "blas",
    r'"std_sort"|"mt19937"': "standard_library",
}


def lacks(text: str) -> bool:
    """Whether a text compares with third-party code without its version or effort."""
    compared = _NAMED.search(text) and _COMPARED.search(text)
    return bool(compared and not (_VERSION.search(text) and _EFFORT.search(text)))


def texts_of(path: Path) -> Iterator[str]:
    """The sentences and table cells of a document, or of the comments of a source file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in {".cpp", ".hpp"}:
        comments = re.findall(r"//+ ?(.*)|\n(?=[^/\n])", text)
        text = " ".join(line or "\n\n" for line in comments)
    for part in re.split(r"\n\n|\n(?=[|*-])", text):
        yield from re.split(r"(?<=[.;:])\s+(?=[A-Z])", " ".join(part.split()))


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("The transform is 1.2 times as fast as FFTW.", True),
        ("The transform is 1.2 times as fast as FFTW 3.3.10.", True),
        ("The transform is 1.2 times as fast as FFTW with FFTW_MEASURE.", True),
        ("The transform is 1.2 times as fast as FFTW 3.3.10 (FFTW_MEASURE).", False),
        ("Eigenvalues take 0.9 times the LAPACK routine's time.", True),
        ("DGEMM is faster than OpenBLAS 0.3.30 (SkylakeX kernels, 1 thread).", False),
        ("FFTW is measured, too.", False),
        ("Copies are faster than triads.", False),
    ],
)
def test_a_comparison_needs_version_and_effort(text: str, *, is_wrong: bool) -> None:
    assert lacks(text) is is_wrong


def test_no_document_compares_without_version_and_effort() -> None:
    paths = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("native/**/*.?pp")]
    assert len(paths) > 100
    wrong = [(path.name, text) for path in paths for text in texts_of(path) if lacks(text)]
    assert not wrong


def _templates() -> Iterator[Template]:
    for found in pkgutil.walk_packages(heorot.__path__, "heorot."):
        if found.name.endswith("templates") or ".templates." in found.name:
            for value in vars(importlib.import_module(found.name)).values():
                if isinstance(value, Template):
                    yield value


def test_sentences_name_libraries_by_version_and_effort() -> None:
    """A template has no name of a library without the version behind it."""
    templates = {template.kind: template for template in _templates()}
    assert {"libraries/named", "algorithms/fft", "messages/own sum"} <= templates.keys()
    for template in templates.values():
        text = "".join(template.clauses)
        # The second mention in a sentence needs no version.
        first = _NAMED.search(text)
        assert first is None or text[first.end() :].startswith(" ({"), text


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda benchmark: benchmark.name)
def test_programs_with_third_party_code_say_so(benchmark: Benchmark) -> None:
    """Whatever calls a library declares its regions, and records its version and effort."""
    folder = ROOT / "native/benchmarks" / benchmark.name
    files = [*folder.glob("*.?pp")] if folder.is_dir() else [folder.with_suffix(".cpp")]
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    notes = {library.note for library in benchmark.libraries}
    for call, note in _CALLS.items():
        if re.search(call, source):
            assert note in notes
    assert all(library.effort for library in benchmark.libraries)
