"""Reads the JSON files of a run; an invalid file is an error of one line with a hint."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from heorot.errors import RunError
from heorot.files import read_regular
from heorot.model.base import Record

_T = TypeVar("_T")
_R = TypeVar("_R", bound=Record)
_ZERO = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_OTHER_VERSION = "read it with the version of heorot that run.json names"
# How pydantic names a field of a record, and of a dataclass in a record.
_UNKNOWN = {"extra_forbidden", "unexpected_keyword_argument"}
_DAMAGED = "restore it from a copy, or measure again; the other files of the run are untouched"


def read_document(
    path: Path, adapter: TypeAdapter[_T], upgrade: Callable[[Any], Any] | None = None
) -> _T:
    """Read a JSON file of a run, as strictly as it was written.

    Args:
        upgrade: converts a document of an earlier version into one of this version.

    Raises:
        RunError: it is missing, unreadable, truncated or of another version.
    """
    try:
        content = read_regular(path)
    except OSError as error:
        hint = "the run was stopped before it was written, or the directory is incomplete"
        if isinstance(error, PermissionError):
            hint = "you may not read it: ask its owner"
        raise RunError(f"{path} cannot be read: {error.strerror}", hint) from error
    try:
        # As strict as the writer: "inf" is not a number.
        value = adapter.validate_json(_upgraded(content, upgrade), strict=True)
        _refuse_odd(content)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] in _UNKNOWN:
            problem = f"was written by another version: {_place(first)} is unknown here"
            raise RunError(f"{path} {problem}", _OTHER_VERSION) from error
        problem = ": ".join(filter(None, ["is damaged", _place(first), first["msg"]]))
        raise RunError(f"{path} {problem}", _DAMAGED) from error
    except ValueError as error:
        raise RunError(f"{path} is damaged: {error}", _DAMAGED) from error
    return value


def read_lines(path: Path, record: type[_R]) -> Iterator[_R]:
    """The valid records of a file with one record per line; none if it cannot be read.

    A line that a crash cut off is left out.
    """
    try:
        lines = read_regular(path).splitlines()
    except OSError:
        return
    for line in lines:
        try:
            found = record.model_validate_json(line)
        except ValueError:
            continue
        yield found


def _upgraded(content: bytes, upgrade: Callable[[Any], Any] | None) -> bytes:
    """The content in the form of this version; invalid JSON is returned unchanged."""
    if upgrade is None:
        return content
    try:
        written = json.loads(content)
    except (ValueError, RecursionError):
        return content
    present = upgrade(written)
    return content if present == written else json.dumps(present).encode()


def _refuse_odd(content: bytes) -> None:
    """Refuse what typed readers accept: infinite numbers, integers beyond 64 bits, zero bytes."""
    json.loads(content, parse_int=_finite, parse_float=_finite, parse_constant=_finite)
    if _ZERO.search(content):
        raise ValueError("a zero byte is no part of a text")


def _finite(text: str) -> float:
    """The number; ValueError if it is infinite or does not fit into 64 bits."""
    number = float(text)
    if not abs(number) < float("inf") or (text.lstrip("-").isdigit() and abs(number) >= 2.0**63):
        raise ValueError(f"{text[:20]} is no number it can hold")
    return number


def _place(error: ErrorDetails) -> str:
    return ".".join(str(part) for part in error["loc"])
