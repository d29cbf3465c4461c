"""Placeholders: names are replaced once, and nothing else happens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.template import fill, placeholders, resolve


def test_placeholders_in_their_order() -> None:
    assert placeholders("{b} and {a}, {b} again") == ("b", "a", "b")
    assert placeholders("none") == ()


def test_doubled_braces_are_plain() -> None:
    assert placeholders("{{a}} {a}") == ("a",)
    assert fill("{{a}} {a} }}", {"a": "1"}) == "{a} 1 }"


@pytest.mark.parametrize(
    "text", ["{a[0]}", "{a!r}", "{}", "{a.b}", "{0}", "{a:>9}", "{a b}", "{a:{b}}", "{a-b}", "{ a}"]
)
def test_what_would_be_evaluated_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no placeholder; braces are doubled"):
        placeholders(text)
    with pytest.raises(ValueError, match="is no placeholder"):
        fill(text, {"a": "1", "b": "2", "0": "3"})


@pytest.mark.parametrize("text", ["{", "}", "{a", "a}", "{a!}", "{{a}"])
def test_an_open_brace_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="plain braces are doubled"):
        placeholders(text)


def test_a_name_without_value_is_named() -> None:
    with pytest.raises(ValueError, match=r"`\{b\}` has no value here"):
        fill("{a} {b}", {"a": "1"})


def test_values_are_not_expanded_again() -> None:
    values = {"a": "{b} {{ {a.b} }", "b": "2"}
    assert fill("{a}", values) == "{b} {{ {a.b} }"
    assert resolve({"c": "<{a}>"}, values) == {"c": "<{b} {{ {a.b} }>"}


def test_values_may_stand_for_each_other_in_any_order() -> None:
    texts = {"c": "{a}{b}", "b": "<{a}>", "a": "{known}"}
    assert resolve(texts, {"known": "1"}) == {"c": "1<1>", "b": "<1>", "a": "1"}


@pytest.mark.parametrize(
    ("texts", "circle"),
    [
        ({"a": "{a}"}, "a -> a"),
        ({"a": "{b}", "b": "{c}", "c": "{a}"}, "a -> b -> c -> a"),
        ({"x": "{a}", "a": "{b}", "b": "{a}"}, "a -> b -> a"),
    ],
)
def test_a_circle_is_told_with_its_path(texts: dict[str, str], circle: str) -> None:
    with pytest.raises(ValueError, match=f"each other in a circle: {circle}$"):
        resolve(texts, {})


def test_a_missing_value_of_a_value_is_named() -> None:
    with pytest.raises(ValueError, match=r"`\{b\}` has no value here"):
        resolve({"a": "{b}"}, {})


def test_a_long_chain_of_values_is_refused() -> None:
    texts = {f"a{n}": f"{{a{n + 1}}}" for n in range(2000)} | {"a2000": "end"}
    with pytest.raises(ValueError, match="more than 50 deep"):
        resolve(texts, {})
    assert resolve(dict(list(texts.items())[-40:]), {})["a1961"] == "end"


def test_values_that_double_are_refused() -> None:
    texts = {f"a{n}": f"{{a{n + 1}}}{{a{n + 1}}}" for n in range(40)} | {"a40": "more"}
    with pytest.raises(ValueError, match="stands for more than 65536 characters"):
        resolve(texts, {})


@given(st.dictionaries(st.sampled_from("abcd"), st.text("{}abcd[.!: ", max_size=12)))
def test_any_values_are_resolved_or_refused(texts: dict[str, str]) -> None:
    try:
        resolved = resolve(texts, {"d": "{d}"})
    except ValueError:
        return
    assert resolved.keys() == texts.keys()


@given(st.text(), st.text())
def test_a_value_comes_back_as_it_is(before: str, value: str) -> None:
    plain = before.replace("{", "{{").replace("}", "}}")
    assert fill(f"{plain}{{a}}", {"a": value}) == before + value
