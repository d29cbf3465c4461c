"""Machines and sites as YAML to edit by hand, read back with errors that know their line."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from heorot.errors import SiteError
from heorot.model.base import Record
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site

_HEADER = (
    "A machine as Heorot found it. Edit what it could not know; unknown keys are errors.\n"
    "Sizes are in bytes, clocks in hertz, line rates in bit/s."
)
_WIDTH = 100
_Kind = TypeVar("_Kind", bound=Record)


def to_yaml(machine: Machine) -> str:
    """The machine as YAML 1.2."""
    tree = _styled(machine.model_dump(mode="json"))
    tree.yaml_set_start_comment(_HEADER)
    stream = StringIO()
    _parser().dump(tree, stream)
    return stream.getvalue()


def from_yaml(text: str, file: Path) -> Machine:
    """Read a machine from YAML 1.2.

    Args:
        text: the document.
        file: where it came from, for messages.

    Raises:
        SiteError: it is not YAML, has an unknown key, or a value that cannot be.
    """
    return _read(text, file, Machine, "hostname")


def read_site(file: Path) -> Site:
    """Read a site file.

    Args:
        file: where it is.

    Raises:
        SiteError: it cannot be read, is not YAML, has an unknown key, or a value that cannot be.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise SiteError(f"cannot be read: {error.strerror}", file=file) from None
    except UnicodeDecodeError:
        raise SiteError("is not text in UTF-8", file=file) from None
    return _read(text, file, Site, "toolchains")


def _read(text: str, file: Path, kind: type[_Kind], key: str) -> _Kind:
    try:
        tree = _parser().load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        raise SiteError(f"not YAML: {error.problem}", file=file, line=line) from None
    except YAMLError as error:
        raise SiteError(f"not YAML: {str(error).splitlines()[0]}", file=file) from None
    if not isinstance(tree, CommentedMap):
        what = f"not a {kind.__name__.lower()}: keys such as `{key}:` are missing"
        raise SiteError(what, file=file, line=1)
    try:
        return kind.model_validate(_plain(tree))
    except ValidationError as error:
        raise _site_error(error, tree, file) from None


def find_line(tree: CommentedMap, location: Sequence[str | int]) -> int | None:
    """The line of a value, counted from 1; of its nearest ancestor if it is missing."""
    node: Any = tree
    line: int | None = 1
    for key in location:
        if isinstance(node, CommentedMap) and key in node:
            line = node.lc.key(key)[0] + 1
        elif isinstance(node, CommentedSeq) and isinstance(key, int) and key < len(node):
            line = node.lc.item(key)[0] + 1
        else:
            break
        node = node[key]
    return line


def _site_error(error: ValidationError, tree: CommentedMap, file: Path) -> SiteError:
    first = error.errors()[0]
    location = first["loc"]
    name = ".".join(map(str, location))
    if first["type"] == "extra_forbidden":
        message, hint = f"unknown key `{name}`", "remove it or correct its spelling"
    elif first["type"] == "missing":
        message, hint = f"`{name}` is missing", "docs/site-file.md lists the keys"
    else:
        message, hint = f"`{name}`: {first['msg']}", ""
    return SiteError(message, file=file, line=find_line(tree, location), hint=hint)


def _parser() -> YAML:
    parser = YAML(typ="rt", pure=True)
    parser.width = _WIDTH
    return parser


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


def _plain(value: Any) -> Any:  # noqa: ANN401 (a tree of plain values)
    if isinstance(value, CommentedMap):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, CommentedSeq):
        return [_plain(item) for item in value]
    return value
