"""`heorot schema`: documented files are valid, and unknown keys are refused."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pydantic import ValidationError
from ruamel.yaml.nodes import MappingNode

from heorot.cli.inspection.schema import command, files
from heorot.document.tree import compose, to_values

ROOT = Path(__file__).resolve().parents[4]
SHIPPED = ROOT / "src/heorot"
SAID = {
    *("title", "description", "default", "format", "$defs", "$schema", "discriminator"),
    *("type", "$ref", "anyOf", "oneOf", "properties", "additionalProperties", "required", "items"),
}
BOUNDS: dict[str, Callable[[Any, Any], bool]] = {
    "const": lambda value, wanted: value == wanted,
    "enum": lambda value, wanted: value in wanted,
    "pattern": lambda value, wanted: re.search(wanted, value) is not None,
    "minimum": lambda value, bound: value >= bound,
    "maximum": lambda value, bound: value <= bound,
    "exclusiveMinimum": lambda value, bound: value > bound,
    "exclusiveMaximum": lambda value, bound: value < bound,
    **dict.fromkeys(("minItems", "minLength", "minProperties"), lambda value, n: len(value) >= n),
    **dict.fromkeys(("maxItems", "maxLength", "maxProperties"), lambda value, n: len(value) <= n),
}
"""Keywords that bound a value of the sibling type; any other is an error."""
PLAIN: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
    "number": (int, float),
    "integer": (int, float),
}


def schema_of(kind: str) -> dict[str, Any]:
    """The output of the command."""
    shown = CliRunner().invoke(command, [kind])
    assert shown.exit_code == 0, shown.output
    found: dict[str, Any] = json.loads(shown.output)
    return found


def blocks(name: str) -> Iterator[str]:
    """The YAML of a document."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    yield from re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def documented() -> Iterator[tuple[str, str]]:
    """Every example that is a whole file: what kind it is, and its text."""
    yield from (("site", text) for text in blocks("site-file.md"))
    recipes = [*SHIPPED.glob("recipes/shipped/*/*.yaml"), ROOT / "docs/examples/jacobi/jacobi.yaml"]
    yield from (("recipe", file.read_text(encoding="utf-8")) for file in recipes)
    jobs = SHIPPED.glob("throughput/workload/shipped/*.yaml")
    yield from (("jobs", file.read_text(encoding="utf-8")) for file in jobs)
    yield from (("jobs", text) for text in blocks("workloads.md") if text.startswith("jobs:"))
    published = ROOT / "docs/examples/machines/xp1000.yaml"
    yield "published", published.read_text(encoding="utf-8")


EXAMPLES = tuple(documented())


def value_of(text: str) -> Any:
    tree = compose(text)
    assert isinstance(tree, MappingNode)
    return to_values(tree)


def is_of(value: object, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    whole = name != "integer" or (isinstance(value, int | float) and value == int(value))
    return isinstance(value, PLAIN[name]) and whole


def faults(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> Iterator[str]:
    """Violations of a value, by the keywords that our schemas use and no others."""
    if "type" in schema and not is_of(value, schema["type"]):
        yield f"{value!r} is no {schema['type']}"
        return
    if "$ref" in schema:
        yield from faults(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    for key in schema.keys() & {"anyOf", "oneOf"}:
        n = sum(not any(faults(value, each, root)) for each in schema[key])
        if n == 0 or (key == "oneOf" and n > 1):
            yield f"{value!r} fits {n} of {len(schema[key])}"
    if isinstance(value, dict):
        yield from faults_of_keys(value, schema, root)
    if isinstance(value, list) and "items" in schema:
        for each in value:
            yield from faults(each, schema["items"], root)
    for key, bound in schema.items():
        if key not in SAID and not BOUNDS[key](value, bound):
            yield f"{value!r}: {key} {bound}"


def faults_of_keys(
    value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any]
) -> Iterator[str]:
    """Those of a mapping: keys that are missing, unknown, or have a wrong value."""
    yield from (f"{name} is missing" for name in schema.get("required", ()) if name not in value)
    own, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name, each in value.items():
        if name in own:
            yield from faults(each, own[name], root)
        elif more is False:
            yield f"unknown key {name}"
        elif more is not True:
            yield from faults(each, more, root)


def mappings(value: Any) -> Iterator[dict[str, Any]]:
    """Every mapping in a document."""
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from mappings(each)
    elif isinstance(value, list):
        for each in value:
            yield from mappings(each)


def is_read(kind: str, value: object) -> bool:
    try:
        files()[kind][0].model_validate(value)
    except ValidationError:
        return False
    return True


def test_there_are_examples_of_every_kind() -> None:
    assert {kind for kind, _ in EXAMPLES} == {*files()}
    assert len(EXAMPLES) > 20


@pytest.mark.parametrize("kind", list(files()))
def test_documented_files_are_valid(kind: str) -> None:
    schema = schema_of(kind)
    for text in (text for each, text in EXAMPLES if each == kind):
        assert is_read(kind, value_of(text)), text
        assert list(faults(value_of(text), schema, schema)) == [], text


@pytest.mark.parametrize("kind", list(files()))
def test_an_unknown_key_is_refused_wherever_the_reader_refuses_it(kind: str) -> None:
    schema = schema_of(kind)
    refused = 0
    for text in (text for each, text in EXAMPLES if each == kind):
        value = value_of(text)
        for number in range(len(list(mappings(value)))):
            changed = copy.deepcopy(value)
            list(mappings(changed))[number]["no_such_key"] = 1
            valid = not any(faults(changed, schema, schema))
            assert valid == is_read(kind, changed), (text, number)
            refused += not valid
    assert refused > 1


def test_every_key_of_a_docstring_is_described() -> None:
    site = schema_of("site")
    assert site["title"] == "Heorot site file"
    assert site["properties"]["at_once"]["description"].startswith(
        "number of nodes that can measure"
    )
    batch = site["$defs"]["SiteBatch"]
    assert batch["description"] == "How jobs are submitted."
    assert batch["properties"]["queue"]["description"] == "partition or queue."
    shared = schema_of("jobs")["$defs"]["WrittenKind"]["properties"]
    assert shared["queue"]["description"] == shared["account"]["description"] == "as in `JobKind`."


def test_durations_and_sizes_may_be_texts() -> None:
    kinds = schema_of("recipe")["$defs"]["Run"]["properties"]
    for name in ("time", "memory"):
        assert {each["type"] for each in kinds[name]["anyOf"]} >= {"string"}, name


@pytest.mark.parametrize(
    ("places", "valid"),
    [
        ({"scratch": "/lustre/me"}, True),
        ({"data": {"path": "/data", "shared": True}}, True),
        ({"data": {"shared": True}}, False),
        ({"data": {"path": "/data", "sharde": True}}, False),
    ],
)
def test_a_file_system_is_its_path_or_has_keys(places: dict[str, object], valid: bool) -> None:
    site, schema = {"filesystems": places}, schema_of("site")
    assert is_read("site", site) == valid
    assert (not any(faults(site, schema, schema))) == valid


@pytest.mark.parametrize(
    "wrong",
    [
        {"toolchains": [{"name": "t", "compilers": [], "mpi": None, "flags": "-O3"}]},
        {"batch": {"system": "loadleveler"}},
        {"at_once": 0},
        {"hosts": [{"cores": 4}]},
        {"networks": [{"name": "ib", "rate_bits": "fast"}]},
    ],
)
def test_wrong_values_are_refused(wrong: dict[str, object]) -> None:
    schema = schema_of("site")
    assert any(faults(wrong, schema, schema))
    assert not is_read("site", wrong)
