"""Reads a YAML 1.2 file into a record; errors have file and line."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError
from ruamel.yaml.nodes import MappingNode, Node

from heorot.document.tree import DocumentError, compose, find_line, to_values
from heorot.errors import FileError
from heorot.files import read_regular, why_not_read

_Kind = TypeVar("_Kind", bound=BaseModel)
# Pydantic's errors about its own types, and the corresponding words for a document.
_WANTED = {
    "tuple_type": "a list",
    "dict_type": "keys with values",
    "model_type": "keys with values",
    "string_type": "a text",
}


@dataclass(frozen=True)
class Sort(Generic[_Kind]):
    """A type of file written by users.

    Attributes:
        kind: the record that it becomes.
        error: class of errors in the file.
        key: one of its keys, for the message about a file of another type.
        most_bytes: longer files are refused unread [B].
        hint: where its keys are explained.
        renewed: converts values of earlier versions to the present format; None if there is only
            one format.
        takes_former: whether such values are accepted; else the hint has the present form.
    """

    kind: type[_Kind]
    error: type[FileError]
    key: str
    most_bytes: int
    hint: str
    renewed: Callable[[Any], Any] | None = None
    takes_former: bool = False


def read_file(file: Path, sort: Sort[_Kind], *, follow: bool = True) -> tuple[_Kind, Node]:
    """A file as a record, and its tree, in which lines can be found.

    Args:
        sort: its type.
        follow: whether it may be reached by a link.

    Raises:
        FileError: of the type's own class: the file cannot be read, is not YAML, has an unknown
            key, or an invalid value.
    """
    return read_text(text_of(file, sort, follow=follow), file, sort)


def text_of(file: Path, sort: Sort[_Kind], *, follow: bool = True) -> str:
    """The text of a file.

    Args:
        sort: its type.
        follow: whether it may be reached by a link.

    Raises:
        FileError: of the type's own class: the file cannot be read, is too long, or is not text.
    """
    try:
        content = read_regular(file, sort.most_bytes + 1, follow=follow)
    except OSError as error:
        message = f"cannot be read: {why_not_read(file, error)}"
        hint = sort.hint if error.errno == errno.ENOENT else "name a file that you can read"
        raise sort.error(message, file=file, hint=hint) from None
    if len(content) > sort.most_bytes:
        message = f"is longer than {sort.most_bytes >> 10} KiB"
        raise sort.error(message, file=file, hint=sort.hint)
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise sort.error("is not text in UTF-8", file=file, hint=sort.hint) from None


def read_text(text: str, file: Path, sort: Sort[_Kind]) -> tuple[_Kind, Node]:
    """A text as a record, and its tree.

    Args:
        file: its origin, for messages.
        sort: its type.

    Raises:
        FileError: of the type's own class, as in `read_file`.
    """
    try:
        tree = compose(text)
        values = to_values(tree) if isinstance(tree, MappingNode) else None
    except DocumentError as error:
        raise sort.error(str(error), file=file, line=error.line, hint=sort.hint) from None
    if tree is None or values is None:
        what = f"not a {sort.kind.__name__.lower()}: keys such as `{sort.key}:` are missing"
        raise sort.error(what, file=file, line=1, hint=sort.hint)
    renewed = sort.renewed(values) if sort.renewed else values
    try:
        return sort.kind.model_validate(renewed if sort.takes_former else values), tree
    except ValidationError as error:
        wrong = _file_error(error, tree, file, sort)
        wrong.hint = _instead(error, values, renewed) or wrong.hint
        raise wrong from None


def _instead(error: ValidationError, former: Any, renewed: Any) -> str:  # noqa: ANN401 (YAML)
    """The present form of values of an earlier version; empty if there are none."""
    for part in error.errors()[0]["loc"][:-1]:
        try:
            former, renewed = former[part], renewed[part]
        except (TypeError, KeyError, IndexError):
            return ""
    if former == renewed or not isinstance(former, dict):
        return ""
    old = " and ".join(f"`{key}`" for key in former if key not in renewed)
    new = {key: value for key, value in renewed.items() if former.get(key) != value}
    text = ", ".join(f"{key}: {json.dumps(value)}" for key, value in new.items())
    return f"{old} are of an earlier version: write `{text}` instead"


def _file_error(error: ValidationError, tree: Node, file: Path, sort: Sort[_Kind]) -> FileError:
    first = error.errors()[0]
    location = tuple(part for part in first["loc"] if part != "[key]")
    name = ".".join(map(str, location))
    where = f"`{name}`: " if name else ""
    hint = sort.hint
    if first["type"] == "extra_forbidden":
        message, hint = f"unknown key `{name}`", "remove it or correct its spelling"
    elif first["type"] == "missing":
        message = f"`{name}` is missing"
    elif wanted := _WANTED.get(first["type"]):
        message = f"`{name}` has to be {wanted}"
    else:
        message = where + first["msg"].removeprefix("Value error, ")
    return sort.error(message, file=file, line=find_line(tree, location), hint=hint)
