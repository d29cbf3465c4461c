"""Immutable named values: the coordinates of a measurement, the options of a program."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from functools import total_ordering
from typing import Any, ClassVar, Self, TypeVar

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from heorot.model.base import Int64

Scalar = Int64 | float | str
V = TypeVar("V")


@total_ordering
class _Named(Mapping[str, V]):
    """Immutable named values: equal, hashed and ordered whatever the order they were given in.

    They are displayed in the order in which they were given.
    """

    __slots__ = ("_hash", "_values")
    _kind: ClassVar[Any]

    def __init__(self, values: Mapping[str, V] | None = None) -> None:
        self._values = dict(values or {})
        self._hash: int | None = None

    def __getitem__(self, name: str) -> V:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    # The views of a dictionary are ten times as fast as those of a mapping.
    def keys(self) -> KeysView[str]:
        return self._values.keys()

    def items(self) -> ItemsView[str, V]:
        return self._values.items()

    def values(self) -> ValuesView[V]:
        return self._values.values()

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._values.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        # The first is fast, and nearly always enough: the second asks a mapping's abstract class.
        if type(other) is type(self) or isinstance(other, _Named):
            return self._values == other._values
        return self._values == other if isinstance(other, dict) else NotImplemented

    def __lt__(self, other: Self) -> bool:
        return self._order() < other._order()

    def __or__(self, more: Mapping[str, V]) -> Self:
        return type(self)({**self._values, **more})

    def without(self, *names: str) -> Self:
        """All but these names."""
        return type(self)({name: value for name, value in self.items() if name not in names})

    def __repr__(self) -> str:
        return repr(self._values)

    def _order(self) -> list[tuple[str, bool, V]]:
        """By name; numbers come before texts."""
        return sorted((name, isinstance(value, str), value) for name, value in self.items())

    @classmethod
    def __get_pydantic_core_schema__(
        cls, _source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        read = core_schema.no_info_after_validator_function(cls, handler.generate_schema(cls._kind))
        return core_schema.json_or_python_schema(
            json_schema=read,
            python_schema=core_schema.union_schema([core_schema.is_instance_schema(cls), read]),
            serialization=core_schema.plain_serializer_function_ser_schema(dict),
        )


class Point(_Named[Scalar]):
    """Coordinates of a measurement, such as the size of a message."""

    __slots__ = ()
    _kind = dict[str, Scalar]


class Options(_Named[bool | Scalar]):
    """Options of a program by their names."""

    __slots__ = ()
    _kind = dict[str, bool | Scalar]

    @property
    def is_star(self) -> bool:
        """Whether the harness's flag `star` is set: every rank runs a serial copy of its own."""
        return str(self.get("star", False)).lower() == "true"


NOWHERE = Point()
"""The point of a region that has no coordinates."""

NO_OPTIONS = Options()
"""Options of a program that runs with its defaults."""
