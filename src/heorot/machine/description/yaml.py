"""Machines and sites as YAML to edit by hand; errors have a line."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.nodes import Node

from heorot.document.records import Sort, read_text, text_of
from heorot.document.tree import find_line
from heorot.errors import SiteError
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site
from heorot.model.machine.toolchain import with_compilers

_HEADER = (
    "A machine as detected by Heorot. Add unknown facts; unknown keys are errors.\n"
    "Sizes are in bytes, clocks in hertz, line rates in bit/s."
)
_HINT = "docs/site-file.md shows one and lists the keys"
_WIDTH = 100
# A hundred toolchains are a quarter of this size; more would take seconds to read.
_MOST_BYTES = 1 << 16
_SITE = Sort(Site, SiteError, "toolchains", _MOST_BYTES, _HINT, with_compilers)
_MACHINE = Sort(Machine, SiteError, "hostname", _MOST_BYTES, _HINT)


def to_yaml(machine: Machine) -> str:
    """The machine as YAML 1.2."""
    tree = _styled(machine.model_dump(mode="json"))
    tree.yaml_set_start_comment(_HEADER)
    stream = StringIO()
    writer = YAML(typ="rt", pure=True)
    writer.width = _WIDTH
    writer.dump(tree, stream)
    return stream.getvalue()


def from_yaml(text: str, file: Path) -> Machine:
    """Read a machine from YAML 1.2.

    Raises:
        SiteError: it is not YAML, has an unknown key, or an invalid value.
    """
    return read_text(text, file, _MACHINE)[0]


def read_site(file: Path, *, former: bool = False) -> Site:
    """Read a site file.

    Args:
        former: whether it may have the format of an earlier version.

    Raises:
        SiteError: it cannot be read, is not YAML, has an unknown key, or an invalid value.
    """
    return parse_site(site_text(file), file, former=former)


def site_text(file: Path, *, follow: bool = True) -> str:
    """The text of a site file.

    Args:
        follow: whether it may be reached by a link.

    Raises:
        SiteError: it cannot be read, is too long, or is not text.
    """
    return text_of(file, _SITE, follow=follow)


def parse_site(text: str, file: Path, *, former: bool = False) -> Site:
    """The site described by the text of a site file.

    Args:
        former: whether it may have the format of an earlier version.

    Raises:
        SiteError: it is not YAML, has an unknown key, or an invalid value.
    """
    site, tree = read_text(text, file, replace(_SITE, takes_former=former))
    _refuse_doubles(site, tree, file)
    return site


def _refuse_doubles(site: Site, tree: Node, file: Path) -> None:
    """Refuse equal names of toolchains: results, builds and plans are identified by them."""
    seen: dict[str, int] = {}
    for number, toolchain in enumerate(site.toolchains):
        line = find_line(tree, ("toolchains", number, "name"))
        if toolchain.name in seen:
            first = seen[toolchain.name]
            message = f"a second toolchain `{toolchain.name}`, the first is in line {first}"
            raise SiteError(message, file=file, line=line, hint="give each a name of its own")
        seen[toolchain.name] = line


def _styled(value: Any) -> Any:  # noqa: ANN401 (a tree of plain values)
    """The tree with lists of plain values on one line."""
    if isinstance(value, dict):
        return CommentedMap((key, _styled(item)) for key, item in value.items())
    if isinstance(value, list):
        items = CommentedSeq(_styled(item) for item in value)
        if not any(isinstance(item, dict | list) for item in value):
            items.fa.set_flow_style()
        return items
    return value
