"""Third-party code that a program measures next to its own code for the same work."""

from __future__ import annotations

from heorot.model.base import Record


class Library(Record):
    """A library that a program measures next to its own code.

    Attributes:
        name: in sentences, such as `FFTW`.
        regions: its regions, each with the regions of Heorot's own that do the same work: the best
            of them is compared with it.
        note: name of the note in which the program records its version; the note `..._effort` has
            its settings. Empty: the MPI library of the launch.
        effort: its settings, if no note has them, as in older records.
    """

    name: str
    regions: dict[str, tuple[str, ...]]
    note: str = ""
    effort: str


BLAS = "blas"
"""The note of a BLAS, and of the LAPACK in it."""


def blas(name: str, regions: dict[str, tuple[str, ...]]) -> Library:
    """A BLAS, or the LAPACK in it."""
    return Library(name=name, regions=regions, note=BLAS, effort="kernels and threads unknown")


def standard(name: str, regions: dict[str, tuple[str, ...]]) -> Library:
    """A part of the library of C++: templates."""
    effort = "compiled like Heorot's own code"
    return Library(name=name, regions=regions, note="standard_library", effort=effort)
