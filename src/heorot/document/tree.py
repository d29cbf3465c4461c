"""Reads a YAML 1.2 document into plain values, and finds the line of each.

The library's own constructors raise various errors for anything but text, numbers, lists and
mappings (dates, sets, merge keys, unknown tags), and expand aliases without limit; here all of
these are one kind of error with a line.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer
from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

_CORE = "tag:yaml.org,2002:"
_CONTAINERS = {f"{_CORE}map", f"{_CORE}seq"}
_DEEPEST = 50
# Limit after expansion of aliases: a few lines of them can stand for billions of values.
_MOST_VALUES = 100_000
_MOST_LETTERS = 4 << 20
_TOO_MUCH = "its aliases stand for more values than it can hold"
_INTEGER_BITS = 64


class DocumentError(Exception):
    """A text is not the YAML it should be.

    Attributes:
        line: line number from 1; None if it is unknown.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def compose(text: str) -> Node | None:
    """The tree of a document, None if it is empty.

    Raises:
        DocumentError: it is not YAML, or nested too deeply.
    """
    parser = YAML(typ="safe", pure=True)
    parser.Composer = _ShallowComposer
    try:
        with warnings.catch_warnings():
            # YAML 1.2 allows redefinition: an alias refers to the last definition.
            warnings.simplefilter("ignore", ReusedAnchorWarning)
            tree: Node | None = parser.compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise DocumentError(f"not YAML: {error.problem}", mark.line + 1 if mark else None) from None
    except (YAMLError, ValueError) as error:
        raise DocumentError(f"not YAML: {str(error).splitlines()[0]}") from None
    return tree


def to_values(tree: Node) -> Any:  # noqa: ANN401 (a tree of plain values)
    """The dictionaries, lists and scalars of a tree.

    Raises:
        DocumentError: a key is duplicate or not text, a tag is unknown, a scalar is not of its
            type, or aliases expand to too much.
    """
    return _Reader().value(tree, depth=0)


def find_line(tree: Node, location: Sequence[str | int]) -> int:
    """The line of a value, counted from 1; of its nearest ancestor if it is missing."""
    node, line = tree, 1
    for key in location:
        if isinstance(node, MappingNode):
            pair = next((pair for pair in node.value if pair[0].value == key), None)
        elif isinstance(node, SequenceNode) and isinstance(key, int) and key < len(node.value):
            pair = (node.value[key], node.value[key])
        else:
            pair = None
        if pair is None:
            break
        line, node = _line(pair[0]), pair[1]
    return line


class _ShallowComposer(Composer):
    """Stops at deep nesting, long before the stack overflows."""

    depth = 0

    def compose_node(self, parent: Node | None, index: int) -> Node:
        if self.depth > _DEEPEST:
            mark = self.parser.peek_event().start_mark
            raise MarkedYAMLError(problem=f"nested more than {_DEEPEST} deep", problem_mark=mark)
        self.depth += 1
        try:
            node: Node = super().compose_node(parent, index)
        finally:
            self.depth -= 1
        return node


class _Reader:
    """Converts nodes to values and counts them."""

    def __init__(self) -> None:
        self._n_values = self._n_letters = 0
        self._scalars: dict[int, str | bool | int | float | None] = {}

    def value(self, node: Node, depth: int) -> Any:  # noqa: ANN401 (a tree of plain values)
        self._n_values += 1
        if depth > _DEEPEST or self._n_values > _MOST_VALUES:
            raise DocumentError(_TOO_MUCH, _line(node))
        if isinstance(node, ScalarNode):
            return self._scalar(node)
        if node.tag not in _CONTAINERS:
            raise DocumentError(f"the tag `{node.tag}` is not understood", _line(node))
        if isinstance(node, MappingNode):
            return self._mapping(node, depth)
        return [self.value(item, depth + 1) for item in node.value]

    def _scalar(self, node: ScalarNode) -> str | bool | int | float | None:
        """The value of a scalar, parsed once for all its aliases."""
        self._n_letters += len(node.value)
        if self._n_letters > _MOST_LETTERS:
            raise DocumentError(_TOO_MUCH, _line(node))
        if id(node) not in self._scalars:
            self._scalars[id(node)] = _scalar(node)
        return self._scalars[id(node)]

    def _mapping(self, node: MappingNode, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self._scalar(key_node) if isinstance(key_node, ScalarNode) else None
            if not isinstance(key, str):
                raise DocumentError("a key is not text", _line(key_node))
            if key in values:
                raise DocumentError(f"not YAML: found duplicate key `{key}`", _line(key_node))
            values[key] = self.value(value_node, depth + 1)
        return values


def _scalar(node: ScalarNode) -> str | bool | int | float | None:
    """The value of a scalar by its tag; anything but YAML 1.2 numbers and switches is text."""
    text, kind = str(node.value), str(node.tag).removeprefix(_CORE)
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise DocumentError("a character that is not allowed in text", _line(node))
    if kind in {"str", "timestamp"}:
        return text
    if kind not in _KINDS:
        raise DocumentError(f"the tag or key `{text[:40]}` is not understood", _line(node))
    try:
        return _KINDS[kind](text.replace("_", "").lower())
    except (KeyError, ValueError):
        raise DocumentError(f"`{text[:40]}` is no {kind}", _line(node)) from None


def _integer(text: str) -> int:
    value = int(text, 0 if text.lstrip("+-")[1:2].isalpha() else 10)
    if value.bit_length() > _INTEGER_BITS:  # very large ones cannot be printed
        raise ValueError
    return value


def _real(text: str) -> float:
    return float(text.replace(".inf", "inf").replace(".nan", "nan"))


_KINDS: dict[str, Callable[[str], bool | int | float | None]] = {
    "null": lambda _: None,
    "bool": {"true": True, "false": False}.__getitem__,
    "int": _integer,
    "float": _real,
}


def _line(node: Node) -> int:
    return int(node.start_mark.line) + 1
