"""Descriptions of the programs, as printed by `--describe` and stored with the families.

`python -m tests.descriptions` writes them, so that a plan can be made before anything is built; a
contract test compares them with the programs.
"""

from __future__ import annotations

import ast
import itertools
import json
import keyword
import math
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

from heorot.model.base import Record

_FAMILIES = Path(__file__).resolve().parents[1] / "families"
HARNESS = _FAMILIES / "harness.json"
"""The options of all programs."""

Value = float | str | tuple[int, ...] | tuple[str, ...]
"""An option in formulas: lists are tuples."""

_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _n_factors(number: float) -> float:
    """Number of prime factors of a whole number, with multiplicity; 0 below 2."""
    found, factor, left = 0, 2, int(number)
    while left > 1:
        if left % factor == 0:
            left //= factor
            found += 1
        else:
            factor += 1
    return found


_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "ceil": math.ceil,
    "factors": _n_factors,
    "floor": math.floor,
    "log2": lambda x: math.log2(max(x, sys.float_info.min)),
}
# Limits of geometric sweeps over sizes, as in the programs.
_MOST_PER_OCTAVE, _MOST_SIZES = 64.0, 4096


class Option(Record):
    """An option of a program.

    Attributes:
        type: `bool`, `int`, `size`, `double` or `string`; `numbers` and `items` are lists.
        default: value that the program uses if the option is not given.
        choices: the items that a list can have.
    """

    type: str
    default: bool | int | float | str
    choices: tuple[str, ...] = ()


class Program(Record):
    """The description of a program, as `--describe` prints it.

    Attributes:
        options: its own options and those of all programs, by name.
        costs: formulas of the costs of all ranks together: amounts such as `memory_bytes`, and
            operations in one body of every measured point such as `flops`. A formula is arithmetic
            with the options, `ranks`, `threads` per rank and `copies` of the problem.
    """

    options: dict[str, Option]
    costs: dict[str, str]


@cache
def described(name: str) -> Program:
    """The stored description of a program.

    Args:
        name: name of the program, such as `memory/stream`.

    Raises:
        LookupError: no description is stored.
    """
    stored = _stored(stored_in(name.partition("/")[0]))
    if name not in stored:
        raise LookupError(f"{name} is not described yet: run python -m tests.descriptions")
    own = stored[name]
    return Program.model_validate({**own, "options": _stored(HARNESS) | own["options"]})


def default(name: str, option: str) -> float:
    """The default of a numeric option of a program."""
    return float(described(name).options[option].default)


def stored_in(family: str) -> Path:
    """The file with the descriptions of a family's programs."""
    return _FAMILIES / family / "programs.json"


@cache
def _stored(file: Path) -> dict[str, Any]:
    if not file.exists():
        return {}
    stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return stored


def summarise(descriptions: Sequence[Mapping[str, Any]]) -> dict[Path, dict[str, Any]]:
    """The stored part of the output of `--describe`, by file.

    Args:
        descriptions: the output of all programs.
    """

    def options(described: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        kept = {}
        for option in described:
            listed = option.get("choices")
            choices = {"choices": listed.split(",")} if listed else {}
            kept[option["name"]] = {key: option[key] for key in ("type", "default")} | choices
        return kept

    kept: dict[Path, dict[str, Any]] = {HARNESS: options(descriptions[0]["harness_options"])}
    for each in sorted(descriptions, key=lambda one: str(one["name"])):
        summary = {"costs": each["costs"], "options": options(each["options"])}
        kept.setdefault(stored_in(each["name"].partition("/")[0]), {})[each["name"]] = summary
    return kept


def identifier(option: str) -> str:
    """The identifier of an option in formulas."""
    return option.replace("-", "_") + "_" * keyword.iskeyword(option)


def evaluate(formula: str, values: Mapping[str, Value]) -> float:
    """The value of a cost formula.

    Args:
        formula: the formula of a program.
        values: values of all options by identifier, and of `ranks`, `threads` and `copies`.
    """
    return _number(_parsed(formula), values)


@cache
def _parsed(formula: str) -> ast.expr:
    return ast.parse(formula, mode="eval").body


def _number(node: ast.expr, values: Mapping[str, Value]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            value = number
        case ast.Name(id=name):
            value = _plain(name, values)
        case ast.BinOp(left=left, op=sign, right=right):
            value = _number(left, values)
            # 0 times infinity is 0: the cost of an option that is off may overflow.
            if value or not isinstance(sign, ast.Mult):
                value = _OPERATORS[type(sign)](value, _number(right, values))
        case ast.BoolOp(op=ast.Or(), values=[first, second]):
            value = _number(first, values) or _number(second, values)
        case ast.Compare(left=ast.Constant(value=item), comparators=[ast.Name(id=name)]):
            value = float(item in _listed(name, values))
        case ast.Subscript(value=ast.Dict(keys=keys, values=numbers), slice=ast.Name(id=name)):
            table = zip(keys, numbers, strict=True)
            chosen = (
                n for key, n in table if isinstance(key, ast.Constant) and key.value == values[name]
            )
            value = sum(_number(n, values) for n in chosen)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            value = _called(name, arguments, values)
        case _:
            raise ValueError(f"a formula cannot have {ast.unparse(node)}")
    return float(value)


def _called(name: str, arguments: list[ast.expr], values: Mapping[str, Value]) -> float:
    match name, arguments:
        case "len", [ast.Name(id=listed)]:
            return len(_listed(listed, values))
        case "max", [ast.Name(id=listed)]:
            return max(map(float, _listed(listed, values)), default=0.0)
        case "sum", [ast.GeneratorExp(elt=term, generators=[over])]:
            numbers = _numbers(over.iter, values)
            return sum(_number(term, {**values, "each": each}) for each in numbers)
        case "max" | "min", [first, second]:
            choose = {"max": max, "min": min}[name]
            return choose(_number(first, values), _number(second, values))
        case _, [argument] if name in _FUNCTIONS:
            return _FUNCTIONS[name](_number(argument, values))
        case _:
            raise ValueError(f"a formula cannot call {name}")


def _numbers(node: ast.expr, values: Mapping[str, Value]) -> list[float]:
    """The numbers that a sum runs over: those of a list option, or of a geometric sweep."""
    match node:
        case ast.Name(id=name):
            return [float(each) for each in _listed(name, values)]
        case ast.Call(func=ast.Name(id="sweep"), args=[_, _, _] as ends):
            first, last, per_octave = (_number(each, values) for each in ends)
            per_octave = min(per_octave, _MOST_PER_OCTAVE)
            octaves = (step / per_octave for step in range(_MOST_SIZES))
            sizes = (
                first * 2.0**each if each < sys.float_info.max_exp else inf for each in octaves
            )
            return [*itertools.takewhile(lambda size: size <= last, sizes)]
        case _:
            raise ValueError(f"a sum cannot go over {ast.unparse(node)}")


def _plain(name: str, values: Mapping[str, Value]) -> float:
    value = values[name]
    if isinstance(value, tuple):
        raise ValueError(f"{name} is a list, and formulas count with numbers")  # noqa: TRY004
    return float(value)


def _listed(name: str, values: Mapping[str, Value]) -> tuple[int, ...] | tuple[str, ...]:
    value = values[name]
    if isinstance(value, str):  # words that stand for lists are read as one item
        return tuple(value.split(","))
    if not isinstance(value, tuple):
        raise ValueError(f"{name} is no list")  # noqa: TRY004
    return value
