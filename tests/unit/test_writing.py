"""Files are written at their own path only: links of other users are not followed.

Files are written by one module; exceptions have a reason. Calls are found by name; writes through
a descriptor of that module are not found.
"""

from __future__ import annotations

import ast
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from heorot.writing import EXECUTABLE, append, appending, open_staying, replacing, write

DIGITS = "0123456789abcdef"
OWN = b"what a user wrote"

SOURCES = Path(__file__).parents[2] / "src" / "heorot"
WRITING = "writing.py"
PRIVATE = "in a temporary directory that only we can write in"
KERNEL = "a file of the kernel"
LOOKED_AT = "in our own copy of sources; where its links lead is looked at first"
ELSEWHERE = {
    "build/relocation.py": ({"symlink_to"}, "makes a link of a random name, renames it"),
    "cli/run.py": ({"mkdtemp"}, "makes a temporary directory that only we can write in"),
    "ownership/scratch.py": ({"mkdtemp"}, "makes folders that only we can write in"),
    "machine/software/compilers.py": ({"write_text"}, PRIVATE),
    "throughput/simulate/exchange.py": ({"open"}, PRIVATE),
    "lab/inside/kernel.py": ({"write_text"}, KERNEL),
    "lab/inside/node.py": ({"write_text"}, KERNEL),
    "recipes/build.py": ({"write_text", "symlink_to"}, LOOKED_AT),
}
"""Module, what it calls, and why that is safe."""

_ALWAYS = {"write_text", "write_bytes", "touch", "symlink_to", "hardlink_to", "mkdtemp", "mkstemp"}
_ALWAYS |= {"NamedTemporaryFile", "copyfile", "copy2", "write_parquet", "to_parquet", "savefig"}
_FLAGS = {"O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TRUNC"}


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file of the user, elsewhere."""
    file = tmp_path / "own"
    file.write_bytes(OWN)
    return file


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A directory of a stranger."""
    folder = tmp_path / "run"
    folder.mkdir()
    return folder


def test_a_name_that_the_process_id_foretells_is_not_used(run: Path, own: Path) -> None:
    for pid in (os.getpid(), os.getpid() + 1):
        (run / f".report.html.{pid}.part").symlink_to(own)
    write(run / "report.html", "<html>")
    assert own.read_bytes() == OWN
    assert (run / "report.html").read_text() == "<html>"


@pytest.mark.parametrize("plant", [os.symlink, os.link, lambda _, name: os.mkfifo(name)])
def test_a_temporary_name_has_to_be_new(
    run: Path, own: Path, monkeypatch: pytest.MonkeyPatch, plant: Callable[[Path, Path], None]
) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda _: DIGITS)
    plant(own, run / f".report.html.{DIGITS}.part")
    with pytest.raises(FileExistsError):
        write(run / "report.html", "<html>")
    assert own.read_bytes() == OWN
    assert not (run / "report.html").exists()


@pytest.mark.parametrize("plant", [os.symlink, os.link])
def test_a_link_at_the_name_is_replaced(
    run: Path, own: Path, plant: Callable[[Path, Path], None]
) -> None:
    plant(own, run / "report.html")
    write(run / "report.html", "<html>")
    assert own.read_bytes() == OWN
    assert not (run / "report.html").is_symlink()
    assert [each.name for each in run.iterdir()] == ["report.html"]


def test_a_link_that_leads_nowhere_is_replaced(run: Path, tmp_path: Path) -> None:
    (run / "report.html").symlink_to(tmp_path / "absent")
    write(run / "report.html", "<html>")
    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize("mask", [0o022, 0o027, 0o077])
def test_modes_are_what_the_umask_leaves(run: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write(run / "page", "")
        write(run / "script", "", EXECUTABLE)
        append(run / "lines", "")
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((run / name).stat().st_mode) for name in ("page", "script", "lines")]
    assert modes == [0o666 & ~mask, 0o777 & ~mask, 0o666 & ~mask]


def test_what_is_no_file_is_not_replaced(run: Path) -> None:
    os.mkfifo(run / "pipe")
    (run / "folder").mkdir()
    (run / "null").symlink_to(os.devnull)
    for name in ("pipe", "folder", "null"):
        with pytest.raises(OSError, match="not a regular file"):
            write(run / name, "text")
    assert stat.S_ISFIFO((run / "pipe").stat().st_mode)
    assert (run / "null").is_symlink()


def test_nothing_is_replaced_among_devices() -> None:
    for name in ("/dev/stdout", "/dev/heorot", "/dev/../dev/heorot"):
        with pytest.raises(OSError, match="not a regular file"):
            write(Path(name), "text")
    assert not Path("/dev/heorot").exists()


def test_a_block_that_fails_leaves_what_was_there(run: Path) -> None:
    write(run / "page", "old")
    with pytest.raises(TypeError), replacing(run / "page") as file:
        file.writelines([b"new", 1])  # type: ignore[list-item]
    assert {each.name: each.read_text() for each in run.iterdir()} == {"page": "old"}


def test_names_in_a_text_stay_the_bytes_that_they_are(run: Path) -> None:
    write(run / "script", os.fsdecode(b"cd /caf\xe9"))
    assert (run / "script").read_bytes() == b"cd /caf\xe9"


def test_a_name_may_be_as_long_as_any(run: Path) -> None:
    name = "ä" * 127
    write(run / name, "text")
    assert [each.name for each in run.iterdir()] == [name]


def test_lines_are_added(run: Path) -> None:
    append(run / "lines", "one\n")
    with appending(run / "lines") as file:
        file.write(b"two\n")
    assert (run / "lines").read_text() == "one\ntwo\n"


def test_lines_are_added_to_nothing_but_a_file(run: Path, own: Path, tmp_path: Path) -> None:
    (run / "link").symlink_to(own)
    (run / "dangling").symlink_to(tmp_path / "absent")
    os.link(own, run / "second name")
    os.mkfifo(run / "pipe")
    os.mkfifo(run / "read pipe")
    reader = os.open(run / "read pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        for name in ("link", "dangling", "second name", "pipe", "read pipe"):
            with pytest.raises(OSError, match=r"a link|a second hard link|not a regular file"):
                append(run / name, "text")
    finally:
        os.close(reader)
    assert own.read_bytes() == OWN
    assert not (tmp_path / "absent").exists()


def test_a_lock_is_opened_as_a_file_that_stays(run: Path, own: Path) -> None:
    (run / "lock").symlink_to(own)
    with pytest.raises(OSError, match="it is a link"):
        open_staying(run / "lock", os.O_RDWR | os.O_CREAT)
    (run / "lock").unlink()
    os.close(open_staying(run / "lock", os.O_RDWR | os.O_CREAT, 0o600))
    assert stat.S_IMODE((run / "lock").stat().st_mode) == 0o600


def _writes(tree: ast.AST) -> Iterator[str]:
    """Names of functions called that write files by their names."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        owner = getattr(getattr(call.func, "value", None), "id", "")
        words = [*call.args, *(each.value for each in call.keywords)]
        texts = {word.value for word in words if isinstance(word, ast.Constant)}
        flags = any(_is_flag(each) for word in words for each in ast.walk(word))
        modes = {text for text in texts if isinstance(text, str) and set(text) <= set("rwaxbt+U")}
        is_open = name == "open" and any(set(mode) & set("wax+") for mode in modes)
        is_nothing = any(getattr(word, "attr", "") == "devnull" for word in words)
        if is_nothing or any(each.arg == "closefd" for each in call.keywords):  # a descriptor
            continue
        # Functions of ours of the same names: those of figures, of the store, and of this module.
        ours = isinstance(call.func, ast.Name) or owner == "writing"
        if is_open or (name == "open" and flags) or (name in _ALWAYS and not ours):
            yield name


def _is_flag(node: ast.AST) -> bool:
    return getattr(node, "attr", "") in _FLAGS


def _found(source: Path) -> set[str]:
    text = source.read_text(encoding="utf-8")
    may_write = any(f"{name}(" in text for name in (*_ALWAYS, "open"))
    return set(_writes(ast.parse(text))) if may_write else set()


def test_files_are_written_in_one_place() -> None:
    found = {}
    for source in sorted(SOURCES.rglob("*.py")):
        name = source.relative_to(SOURCES).as_posix()
        if name != WRITING and (calls := _found(source)):
            found[name] = calls
    assert found == {name: calls for name, (calls, _) in ELSEWHERE.items()}


@pytest.mark.parametrize(
    "text",
    [
        'open(path, "w")',
        'path.open("ab")',
        'path.open(mode="x")',
        'path.open("r+")',
        "os.open(path, os.O_RDONLY | os.O_CREAT)",
        "path.write_text(text)",
        "path.touch()",
        "tempfile.mkdtemp()",
        "tempfile.NamedTemporaryFile()",
        "shutil.copyfile(a, b)",
        "connection.table(name).write_parquet(path)",
    ],
)
def test_a_writer_is_found(text: str) -> None:
    assert list(_writes(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "path.open()",
        'open(path, "rb")',
        "os.open(os.devnull, os.O_RDWR)",
        'open(1, "w", closefd=False)',
    ],
)
def test_a_reader_is_none(text: str) -> None:
    assert not list(_writes(ast.parse(text)))
