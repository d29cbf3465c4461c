"""Finds published systems by name: shipped sources, and the user's own files.

Own files have the form of `docs/published-machines.md` and stand in `references` below the user's
data directory (XDG Base Directory Specification, freedesktop.org), or in the directory that
HEOROT_REFERENCES names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from heorot.errors import UsageError
from heorot.model.analysis.published import Publication
from heorot.references.counterparts import networks_of, publication
from heorot.references.reading import read_source
from heorot.references.records import PublishedSystem, Source
from heorot.suggestion import suggest

_NAME = re.compile(
    r"(?P<source>[a-z0-9]+):(?P<system>[A-Za-z0-9_-]+)(@(?P<network>[A-Za-z0-9 -]+))?"
)


def source_names() -> list[str]:
    """The shipped sources."""
    return sorted(entry.name for entry in _shipped().iterdir() if entry.is_dir())


@cache
def shipped_source(name: str) -> Source:
    """A shipped source.

    Raises:
        UsageError: there is none of this name.
    """
    if name not in source_names():
        message = f"there is no published source {name}, only {', '.join(source_names())}"
        raise UsageError(message, suggest("references", "list"))
    return read_source(_shipped() / name)


def names_reference(text: str) -> bool:
    """Whether a text has the form SOURCE:SYSTEM or SOURCE:SYSTEM@NETWORK of a shipped source."""
    match = _NAME.fullmatch(text)
    return match is not None and not Path(text).exists()


def find_system(text: str) -> tuple[Source, PublishedSystem]:
    """The system that SOURCE:SYSTEM names; a part of its name is enough if it is the only one.

    Raises:
        UsageError: there is none, or several.
    """
    match = _NAME.fullmatch(text)
    if match is None:
        raise UsageError(f"{text} is not SOURCE:SYSTEM", suggest("references", "list"))
    source = shipped_source(match["source"])
    wanted = _plain(match["system"])
    found = [one for one in source.systems if _plain(one.name) == wanted]
    found = found or [one for one in source.systems if wanted in _plain(one.name)]
    if len(found) != 1:
        known = ", ".join(one.name for one in found or source.systems)
        why = f"{source.name} has several systems" if found else f"{source.name} has only"
        raise UsageError(f"{text}: {why}: {known}", suggest("references", "list"))
    return source, found[0]


def find_publication(text: str) -> Publication:
    """The figures of SOURCE:SYSTEM that may be compared with a run.

    Raises:
        UsageError: there is no such system, its network is to be named, or it has no such figure.
    """
    source, system = find_system(text)
    networks = networks_of(source, system.name)
    asked = text.partition("@")[2]
    network = next((name for name in networks if _plain(name) == _plain(asked)), "")
    if asked and not network:
        known = ", ".join(networks) or "no network"
        raise UsageError(f"{text}: figures that can be compared name {known}", "leave out the @")
    if not network and len(networks) > 1:
        example = f"{text}@{_plain(networks[0])}"
        message = f"{text} has figures of {', '.join(networks)}"
        raise UsageError(message, f"name the network: {example}")
    found = publication(source, system, network)
    if found is None:
        raise UsageError(
            f"{text} has no figure that a run can be compared with",
            f"heorot references show {text} lists the reasons",
        )
    return found


def own_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the user's own files are."""
    if named := environment.get("HEOROT_REFERENCES"):
        return Path(named)
    data = environment.get("XDG_DATA_HOME", "")
    base = Path(data) if Path(data).is_absolute() else Path.home() / ".local" / "share"
    return base / "heorot" / "references"


def own_file(name: str) -> Path:
    """The own file of a machine; makes its directory.

    Raises:
        UsageError: no file can be named after it.
    """
    stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    if not stem:
        raise UsageError(f"no file can be named after {name!r}", "name it with --out")
    folder = own_directory()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{stem}.yaml"


def own_files() -> Iterator[Path]:
    """The user's own files, by name."""
    yield from sorted(own_directory().glob("*.yaml"))


def _shipped() -> Path:
    return Path(str(files("heorot.references"))) / "published"


def _plain(name: str) -> str:
    return re.sub(r"[ _]+", "-", name.strip().lower())
