"""Damaged site files: a site, or one line with file and line, with a hint and at once."""

from __future__ import annotations

import os
import re
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heorot.errors import SiteError
from heorot.machine.description.yaml import read_site
from heorot.model.machine.site import Site
from tests.unit.damage import assert_one_line, damaged_bytes, damaged_lines

_PAGE = (Path(__file__).parents[4] / "docs/site-file.md").read_text()
EXAMPLE = _PAGE.split("```yaml\n")[1].split("```")[0].encode()
# CPU time: a busy machine does not look like a hang.
PATIENCE_SECONDS = 15.0  # a tenth on an idle machine, half a minute and more without limits
_NASTY = (
    *("~", "[a]", "{a: b}", "&a [*a]", "*b", "!x y", "!!set {a}", "!!int x", "2021-99-99", "0o9"),
    *(
        '"\\0"',
        '"\\ud800"',
        '"\\U00110000"',
        "{<<: {a: b}}",
        "!!omap x",
        "!!binary x",
        "? [a]",
        "|",
    ),
    *(
        "9" * 5000,
        "\t",
        "%YAML 1.1",
        "---",
        "...",
        "- - -",
        "'",
        '"',
        "#",
        "x" * 3000,
        "@",
        "`",
        ">-",
    ),
    *("[" * 60, "!!map [a: 1]", "{", "}", ".nan", "1:30", "!<%zz> a", "\u2028", "\x85", "\ufeff"),
)


def _read(content: bytes) -> Site | None:
    """Read a site file, which either is one or is refused as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "site.yaml"
        path.write_bytes(content)
        started = time.process_time()
        try:
            return read_site(path)
        except SiteError as error:
            _assert_reported(error, path, content)
            return None
        finally:
            assert time.process_time() - started < PATIENCE_SECONDS


def _assert_reported(error: SiteError, path: Path, content: bytes) -> None:
    """The one line begins with the file and, if there is one, a line of it."""
    assert_one_line(error)
    where, colon, what = str(error).removeprefix(str(path)).partition(": ")
    n_lines = len(re.split(r"[\n\r\x85\u2028\u2029]", content.decode(errors="replace")))
    assert where == "" or 1 <= int(where.removeprefix(":")) <= n_lines
    assert colon
    assert what


def test_the_example_of_the_page_is_a_site() -> None:
    site = _read(EXAMPLE)
    assert site is not None
    assert [toolchain.name for toolchain in site.toolchains] == [
        "gnu-13+openmpi-5",
        "intel-2024",
    ]


@given(damaged_bytes(EXAMPLE) | damaged_lines(EXAMPLE))
def test_wrong_bytes(content: bytes) -> None:
    _read(content)


@pytest.mark.slow
@given(st.data())
def test_nasty_values_in_the_place_of_others(data: st.DataObject) -> None:
    text = EXAMPLE.decode()
    places = [match.span() for match in re.finditer(r"[^\s:,\[\]{}\"]+", text)]
    start, end = data.draw(st.sampled_from(places))
    nasty = data.draw(st.sampled_from(_NASTY) | st.text(max_size=8))
    _read((text[:start] + nasty + text[end:]).encode(errors="surrogatepass"))


@given(
    st.lists(st.sampled_from((*_NASTY, "system", ": ", "\n", "- ", "  ", "toolchains", ",", "&b ")))
)
def test_any_document(pieces: list[str]) -> None:
    _read("".join(pieces).encode())


@given(st.binary(max_size=100))
def test_any_bytes(content: bytes) -> None:
    _read(content)


_LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def _chains(*names: str, more: str = "") -> str:
    """A site file with toolchains of these names, one in each line from the second on."""
    gnu = "[{language: c++, command: g++}]"
    lines = (f"  - {{name: {name}, compilers: {gnu}, mpi: null{more}}}\n" for name in names)
    return "toolchains:\n" + "".join(lines)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[" * 50_000, ":1: not YAML: nested more than 50 deep"),
        ("system: " + "- " * 20_000, ":1: not YAML"),
        ("system: &a [*a]\n", ":1: its aliases stand for more"),
        (_LAUGHS, ": its aliases stand for more"),
        pytest.param(
            "toolchains: [" + "a," * 20_000 + "]\n", ":1: `toolchains.0`", marks=pytest.mark.slow
        ),
        ("system: " + "a" * 70_000, ": is longer than 64 KiB"),
        ("system: a\nsystem: b\n", ":2: not YAML: found duplicate key `system`"),
        ("\n\tsystem: a\n", ":2: not YAML: found character"),
        ("system: a\n<<: {system: 1}\n", ":2: the tag or key `<<` is not understood"),
        ("system: !foo [a]\n", ":1: the tag `!foo` is not understood"),
        ("system: !!omap a\n", ":1: the tag or key `a` is not understood"),
        ("system: !!bool a\n", ":1: `a` is no bool"),
        ("system: " + "9" * 5000, ":1: `9"),
        ('system: "\\ud800"\n', ":1: a character that is not allowed in text"),
        ('system: "\\U00110000"\n', ": not YAML: "),
        ("toolchains:\n  - mpi: null\n    compilers: []\n", ":2: `toolchains.0.name` is missing"),
        ("1: 2\n", ":1: a key is not text"),
        (f'a: &a "{"x" * 30_000}"\nb: [{"*a," * 11_000}]\n', ": its aliases stand for more"),
        ("toolchains:\n  a: {cxx: g++}\n", ":1: `toolchains` has to be a list"),
        ("toolchains: g++\n", ":1: `toolchains` has to be a list"),
        ("toolchains:\n  - 3\n", ":2: `toolchains.0` has to be keys with values"),
        ("sources: [a]\n", ":1: `sources` has to be keys with values"),
        ("system: [a]\n", ":1: `system` has to be a text"),
        (_chains("a", "b", "a"), ":4: a second toolchain `a`, the first is in line 2"),
        (_chains("../../x"), ":2: `toolchains.0.name`: must be up to 100 letters"),
        (_chains(".hidden"), ":2: `toolchains.0.name`: must be"),
        (
            "toolchains:\n  - {name: a, compilers: [{language: c, command: cc}], mpi: null}\n",
            ":2: `toolchains.0.compilers.0.language`",
        ),
        (
            "toolchains:\n  - {name: a, compilers: [{language: fortran, command: f}], mpi: null}\n",
            ":2: `toolchains.0.compilers`: needs one with `language: c++`",
        ),
        (_chains('""'), ":2: `toolchains.0.name`: must be"),
        (_chains("x" * 101), ":2: `toolchains.0.name`: must be"),
        (_chains("a", more=", environment: {A=B: x}"), ":2: `toolchains.0.environment.A=B`: a var"),
        (_chains("a", more=", environment: {'': x}"), ":2: `toolchains.0.environment.`: a var"),
    ],
    ids=lambda text: str(text)[:20].encode("unicode_escape").decode(),
)
def test_refused_with_a_line(text: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text(text)
    started = time.process_time()
    with pytest.raises(SiteError) as caught:
        read_site(tmp_path / "site.yaml")
    assert "site.yaml:" in str(caught.value)
    assert what in str(caught.value)
    assert time.process_time() - started < PATIENCE_SECONDS


_FORMER = "name: gnu, cxx: /opt/g++, flags: -O3 -ffast-math, fortran: gfortran, mpi: null"


def test_a_form_of_earlier_versions_is_refused_with_what_to_write(tmp_path: Path) -> None:
    file = tmp_path / "site.yaml"
    file.write_text(f"system: lyra\ntoolchains:\n  - {{{_FORMER}}}\n")
    with pytest.raises(SiteError, match=r":3: `toolchains.0.compilers` is missing") as caught:
        read_site(file)
    assert caught.value.hint.startswith("`cxx` and `flags` and `fortran` are of an earlier version")
    (now,) = [part for part in caught.value.hint.split("`") if part.startswith("compilers: ")]
    file.write_text(f"toolchains:\n  - {{name: gnu, {now}, mpi: null}}\n")
    (chain,) = read_site(file).toolchains
    assert chain.cxx.command == Path("/opt/g++")
    assert chain.cxx.flags == "-O3 -ffast-math"
    assert chain.fortran is not None


def test_a_hint_of_earlier_forms_is_for_them_alone(tmp_path: Path) -> None:
    file = tmp_path / "site.yaml"
    for text in ("mpi: null", f"{_FORMER}, compilers: []", "cxx: g++, name: [], mpi: null"):
        file.write_text(f"toolchains:\n  - {{{text}}}\n")
        with pytest.raises(SiteError) as caught:
            read_site(file)
        assert ("of an earlier version" in caught.value.hint) == text.startswith("cxx")
    file.write_text("cxx: g++\ntoolchains: 3\n")
    with pytest.raises(SiteError, match="has to be a list"):
        read_site(file)


def test_dates_are_text(tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text("system: 2021-99-99\n")
    assert read_site(tmp_path / "site.yaml").system == "2021-99-99"


def test_of_two_anchors_of_one_name_the_last_counts(tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text("sources: {a: &x /a, b: &x /b, c: *x}\n")
    assert read_site(tmp_path / "site.yaml").sources["c"] == Path("/b")


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "site.yaml")
    with pytest.raises(SiteError, match="cannot be read: it is not a regular file") as caught:
        read_site(tmp_path / "site.yaml")
    assert_one_line(caught.value)


def test_names_of_toolchains_may_have_what_heorot_itself_puts_in(tmp_path: Path) -> None:
    names = ("gnu-13+openmpi-5.0.11#2", "_a", "-b", "1c")
    (tmp_path / "site.yaml").write_text(_chains(*(f'"{name}"' for name in names)))
    assert tuple(one.name for one in read_site(tmp_path / "site.yaml").toolchains) == names


@pytest.mark.slow
@given(st.sampled_from(_NASTY), st.integers(1, 1 << 16), st.sampled_from(("", "system: ", "a: [")))
@settings(max_examples=settings().max_examples // 5)
def test_as_many_as_there_is_room_for(piece: str, number: int, opening: str) -> None:
    """A file with endless repetitions is refused before the time limit."""
    content = (opening + piece * number).encode(errors="surrogatepass")
    _read(content[: (1 << 16) - 1])
