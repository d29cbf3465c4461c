"""Reads what a run keeps as JSON: a file that is not what it should be is one line with a hint."""

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
# A field of a record, and one of a dataclass in it.
_UNKNOWN = {"extra_forbidden", "unexpected_keyword_argument"}
_DAMAGED = "restore it from a copy, or measure again; the other files of the run are untouched"


def read_document(
    path: Path, adapter: TypeAdapter[_T], upgrade: Callable[[Any], Any] | None = None
) -> _T:
    """Read a JSON file of a run, as strictly as it was written.

    Args:
        upgrade: makes what this version writes of what an earlier one wrote.

    Raises:
        RunError: it is missing, unreadable, truncated or of another version.
    """
    try:
        content = read_regular(path)
    except OSError as error:
        hint = "the run was stopped before it was written, or the directory is incomplete"
        if isinstance(error, PermissionError):
            hint = "it belongs to somebody who does not let you read it: ask its owner"
        raise RunError(f"{path} cannot be read: {error.strerror}", hint) from error
    try:
        # As strict as we are when we write: "inf" is no number.
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
    """The lines of a file of records that are such; none if it cannot be read.

    A line torn by a crash is none.
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
    """The content as this version would have written it; what is no JSON stays what it is."""
    if upgrade is None:
        return content
    try:
        written = json.loads(content)
    except (ValueError, RecursionError):
        return content
    present = upgrade(written)
    return content if present == written else json.dumps(present).encode()


def _refuse_odd(content: bytes) -> None:
    """What no reader of types objects to: infinite numbers, integers beyond 64 bits, zero bytes."""
    json.loads(content, parse_int=_finite, parse_float=_finite, parse_constant=_finite)
    if _ZERO.search(content):
        raise ValueError("a zero byte is no part of a text")


def _finite(text: str) -> float:
    """A number that fits into 64 bits; it is for its exception that this is called."""
    number = float(text)
    if not abs(number) < float("inf") or (text.lstrip("-").isdigit() and abs(number) >= 2.0**63):
        raise ValueError(f"{text[:20]} is no number it can hold")
    return number


def _place(error: ErrorDetails) -> str:
    return ".".join(str(part) for part in error["loc"])
