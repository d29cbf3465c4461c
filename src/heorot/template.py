"""Texts with placeholders such as `{ranks}`: names are replaced, nothing is evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter

# Values that refer to values may double with each: longer results are refused.
_DEEPEST = 50
_LONGEST = 1 << 16


def placeholders(text: str) -> tuple[str, ...]:
    """The names of a text's placeholders, in order.

    Raises:
        ValueError: a brace is not closed, or encloses no name; `{{` and `}}` are plain braces.
    """
    try:
        parts = list(Formatter().parse(text))
    except ValueError as error:
        raise ValueError(f"`{text[:60]}`: {error}; plain braces are doubled") from None
    names = []
    for _, name, form, conversion in parts:
        if name is None:
            continue
        if not name.isidentifier() or form or conversion:
            raise ValueError(f"`{text[:60]}`: `{{{name}}}` is no placeholder; braces are doubled")
        names.append(name)
    return tuple(names)


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with its placeholders replaced.

    Args:
        text: as for `placeholders`.
        values: value of each name, inserted literally.

    Raises:
        ValueError: a name has no value.
    """
    unknown = next((name for name in placeholders(text) if name not in values), None)
    if unknown is not None:
        raise ValueError(f"`{{{unknown}}}` has no value here")
    return Formatter().vformat(text, (), dict(values))


def resolve(texts: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """Values whose placeholders are replaced by known values and by each other.

    Args:
        texts: the values by name.
        known: names with plain values.

    Raises:
        ValueError: a name has no value, values are circular, or a result is too long.
    """
    done = dict(known)

    def value(name: str, path: tuple[str, ...]) -> str:
        if name in path:
            circle = " -> ".join([*path[path.index(name) :], name])
            raise ValueError(f"values refer to each other in a circle: {circle}")
        if len(path) > _DEEPEST:
            raise ValueError(f"values refer to each other more than {_DEEPEST} deep")
        if name not in done and name in texts:
            names = placeholders(texts[name])
            own = {each: value(each, (*path, name)) for each in names}
            if len(texts[name]) + sum(len(own[each]) for each in names) > _LONGEST:
                raise ValueError(f"`{{{name}}}` stands for more than {_LONGEST} characters")
            done[name] = fill(texts[name], own)
        if name not in done:
            raise ValueError(f"`{{{name}}}` has no value here")
        return done[name]

    return {name: value(name, ()) for name in texts}
