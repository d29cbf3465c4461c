"""JSON schemas of the files written by users, for editors that complete and check them."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_ATTRIBUTES = "\n\nAttributes:\n"
# `name: text`, or several names, then lines of the same entry with more indentation.
_ENTRY = re.compile(r"^    (\w+(?:, \w+)*): (.*(?:\n {8}.*)*)", re.MULTILINE)


def json_schema(kind: type[BaseModel], title: str) -> dict[str, Any]:
    """The schema of a file; keys are described by the record's docstring.

    Args:
        kind: the record that the file becomes.
        title: title of the schema.
    """
    schema = kind.model_json_schema(mode="validation")
    for record in (schema, *schema.get("$defs", {}).values()):
        _describe(record)
    return {"$schema": _DRAFT, **schema, "title": title}


def _describe(record: dict[str, Any]) -> None:
    """Use the docstring's text about each attribute as its description in the schema."""
    summary, _, attributes = record.get("description", "").partition(_ATTRIBUTES)
    if summary:
        record["description"] = _joined(summary)
    keys = record.get("properties", {})
    for names, text in _ENTRY.findall(attributes):
        for name in names.split(", "):
            if name in keys:
                keys[name]["description"] = _joined(text)


def _joined(text: str) -> str:
    return " ".join(text.split())
