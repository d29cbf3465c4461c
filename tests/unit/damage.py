"""Strategies that damage contents of files, as crashes, full disks, editors and people do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from heorot.errors import HeorotError

# What may stand where something else belongs. Lines of JSON get them by their text, since some
# (huge exponents, deep nesting, lone surrogates) are no Python values.
NASTY_JSON = (
    *("null", "true", "false", "0", "-1", "1.5", "1e400", "-1e400", "1e-400", "NaN", "Infinity"),
    *("-Infinity", '"nan"', '"inf"', '""', '"x\\ny"', '"\\u0000"', '"\\ud800"', '"S0001"', "[]"),
    *("{}", "[[]]", '{"a":1}', "9" * 19, "9" * 400, "9" * 5000, "[" * 300 + "]" * 300, '"/"'),
    *("-5", "1e300", "-1e300", "4294967296", "1" + "0" * 400, "-1" + "0" * 400, "[" * 5000),
    *("[1,2]", '["a"]', "1e308", "-0.0", '"\\u2028"', "[null]", '"' + "x" * 5000 + '"'),
)
# Mostly one: what is damaged in two places hides one of them.
_FEW = st.sampled_from((1, 1, 2, 3))
_JUNK = (
    b"\0" * 16,
    b"\xff\xfe",
    b"\n",
    b"{}\n",
    b'{"',
    b"[[[[",
    b"null\n",
    b"\r\n",
    b"\xed\xa0\x80",
)


@st.composite
def damaged_bytes(draw: st.DrawFn, content: bytes) -> bytes:
    """The content with one to three places overwritten, cut out, torn off or added."""
    for _ in range(draw(_FEW)):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.integers(0, 40)))
        kind = draw(st.sampled_from(("overwrite", "cut", "insert", "tear", "zero")))
        junk = draw(st.binary(max_size=8) | st.sampled_from(_JUNK))
        if kind == "overwrite":
            content = content[:start] + junk + content[start + len(junk) :]
        elif kind == "cut":
            content = content[:start] + content[end:]
        elif kind == "insert":
            content = content[:start] + junk + content[start:]
        elif kind == "tear":
            content = content[:start]
        else:
            content = content[:start] + bytes(end - start) + content[end:]
    return content


@st.composite
def damaged_lines(draw: st.DrawFn, content: bytes) -> bytes:
    """The content with one to three lines lost, doubled, exchanged, torn, zeroed or made up.

    Lines that are left and readable are unchanged.
    """
    lines = content.splitlines(keepends=True)
    for _ in range(draw(_FEW)):
        if not lines:
            break
        one, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        kind = draw(st.sampled_from(("lose", "double", "exchange", "tear", "zero", "junk")))
        if kind == "lose":
            del lines[one]
        elif kind == "double":
            lines.insert(other, lines[one])
        elif kind == "exchange":
            lines[one], lines[other] = lines[other], lines[one]
        elif kind == "tear":
            lines[one] = lines[one][: draw(st.integers(0, len(lines[one])))]
        elif kind == "zero":
            lines[one] = bytes(len(lines[one]))
        else:
            lines.insert(one, draw(st.sampled_from(_JUNK)))
    return b"".join(lines)


@st.composite
def damaged_json(draw: st.DrawFn, content: bytes) -> bytes:
    """JSON of which one to three values are others, gone, doubled or have another name."""
    tree = json.loads(content)
    texts: dict[str, str] = {}
    for number in range(draw(_FEW)):
        node, key = draw(st.sampled_from(list(_places(tree))))
        kind = draw(st.sampled_from(("replace", "replace", "lose", "add", "rename")))
        mark = f"@{number}@"
        texts[f'"{mark}"'] = draw(st.sampled_from(NASTY_JSON))
        if kind == "replace":
            node[key] = mark
        elif kind == "lose":
            del node[key]
        elif isinstance(node, list):
            node.append(mark if kind == "add" else node[key])
        elif kind == "add":
            node[draw(st.sampled_from(("more", "", "a\nb", "type", "point")))] = mark
        else:
            node[draw(st.text(max_size=3))] = node.pop(key)
        if not list(_places(tree)):
            break
    text = json.dumps(tree, separators=(",", ":"))
    for mark, nasty in texts.items():
        text = text.replace(mark, nasty)
    return text.encode(errors="surrogatepass")


@st.composite
def damaged_json_lines(draw: st.DrawFn, content: bytes) -> bytes:
    """JSON lines, of which one is damaged but still JSON."""
    lines = content.splitlines()
    number = draw(st.integers(0, len(lines) - 1))
    lines[number] = draw(damaged_json(lines[number]))
    return b"".join(line + b"\n" for line in lines)


def of_any(
    originals: dict[str, bytes], damage: Callable[[bytes], st.SearchStrategy[bytes]]
) -> st.SearchStrategy[tuple[str, bytes]]:
    """The name of one of the originals, and its content damaged."""
    return st.sampled_from(sorted(originals)).flatmap(
        lambda name: st.tuples(st.just(name), damage(originals[name]))
    )


def assert_one_line(error: HeorotError, path: Path | str = "") -> None:
    """Check that an error names the damaged file and the remedy in one line."""
    assert len(str(error).splitlines()) == 1
    assert str(path) in str(error)
    assert error.hint


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in a tree with every key or index in it."""
    keys = tree.keys() if isinstance(tree, dict) else range(len(tree))
    for key in list(keys):
        yield tree, key
        if isinstance(tree[key], dict | list):
            yield from _places(tree[key])
