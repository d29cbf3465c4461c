"""Machines and sites as YAML to edit by hand, read back with errors that know their line."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.nodes import MappingNode, Node

from heorot.errors import SiteError
from heorot.files import read_regular
from heorot.machine.description.document import DocumentError, compose, find_line, to_values
from heorot.model.base import Record
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site

_HEADER = (
    "A machine as Heorot found it. Edit what it could not know; unknown keys are errors.\n"
    "Sizes are in bytes, clocks in hertz, line rates in bit/s."
)
_HINT = "docs/site-file.md shows one and lists the keys"
_WIDTH = 100
# A hundred toolchains are a quarter of it; more would take seconds to read.
_LARGEST_BYTES = 1 << 16
_Kind = TypeVar("_Kind", bound=Record)


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

    Args:
        text: the document.
        file: where it came from, for messages.

    Raises:
        SiteError: it is not YAML, has an unknown key, or a value that cannot be.
    """
    return _read(text, file, Machine, "hostname")[0]


def read_site(file: Path) -> Site:
    """Read a site file.

    Args:
        file: where it is.

    Raises:
        SiteError: it cannot be read, is not YAML, has an unknown key, or a value that cannot be.
    """
    try:
        content = read_regular(file, _LARGEST_BYTES + 1)
        text = content.decode()
    except OSError as error:
        raise SiteError(f"cannot be read: {error.strerror}", file=file, hint=_HINT) from None
    except UnicodeDecodeError:
        raise SiteError("is not text in UTF-8", file=file, hint=_HINT) from None
    if len(content) > _LARGEST_BYTES:
        message = f"is longer than {_LARGEST_BYTES >> 10} KiB"
        raise SiteError(message, file=file, hint=_HINT)
    site, tree = _read(text, file, Site, "toolchains")
    _refuse_doubles(site, tree, file)
    return site


def _refuse_doubles(site: Site, tree: Node, file: Path) -> None:
    """Results, builds and plans go by the names of toolchains: two of one name would be mixed."""
    seen: dict[str, int] = {}
    for number, toolchain in enumerate(site.toolchains):
        line = find_line(tree, ("toolchains", number, "name"))
        if toolchain.name in seen:
            first = seen[toolchain.name]
            message = f"a second toolchain `{toolchain.name}`, the first is in line {first}"
            raise SiteError(message, file=file, line=line, hint="give each a name of its own")
        seen[toolchain.name] = line


def _read(text: str, file: Path, kind: type[_Kind], key: str) -> tuple[_Kind, Node]:
    try:
        tree = compose(text)
        values = to_values(tree) if isinstance(tree, MappingNode) else None
    except DocumentError as error:
        raise SiteError(str(error), file=file, line=error.line, hint=_HINT) from None
    if tree is None or values is None:
        what = f"not a {kind.__name__.lower()}: keys such as `{key}:` are missing"
        raise SiteError(what, file=file, line=1, hint=_HINT)
    try:
        return kind.model_validate(values), tree
    except ValidationError as error:
        raise _site_error(error, tree, file) from None


def _site_error(error: ValidationError, tree: Node, file: Path) -> SiteError:
    first = error.errors()[0]
    location = tuple(part for part in first["loc"] if part != "[key]")
    name = ".".join(map(str, location))
    if first["type"] == "extra_forbidden":
        message, hint = f"unknown key `{name}`", "remove it or correct its spelling"
    elif first["type"] == "missing":
        message, hint = f"`{name}` is missing", _HINT
    else:
        message, hint = f"`{name}`: {first['msg'].removeprefix('Value error, ')}", _HINT
    return SiteError(message, file=file, line=find_line(tree, location), hint=hint)


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
