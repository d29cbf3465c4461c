"""Randomly corrupted runs: five commands end properly, and no number changes unmarked."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from heorot.cli import main
from heorot.store.digests import check_digests
from heorot.store.directory import RunDirectory

PATIENCE_SECONDS = 30
FOREIGN = Path(__file__).parents[3] / "samples" / "runs" / "twelve_launches.parquet"
Corruption = Callable[[random.Random, Path, list[Path]], None]


def flip_bits(draw: random.Random, path: Path, _: list[Path]) -> None:
    content = bytearray(path.read_bytes())
    for _number in range(draw.randint(1, 8)):
        if content:
            content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    path.write_bytes(content)


def truncate(draw: random.Random, path: Path, _: list[Path]) -> None:
    os.truncate(path, draw.randint(0, path.stat().st_size))


def zero(draw: random.Random, path: Path, _: list[Path]) -> None:
    content = path.read_bytes()
    start = draw.randint(0, len(content))
    gone = min(draw.randint(1, 4096), len(content) - start)
    path.write_bytes(content[:start] + bytes(gone) + content[start + gone :])


def lengthen(draw: random.Random, path: Path, _: list[Path]) -> None:
    with path.open("ab") as file:
        file.write(draw.randbytes(draw.randint(1, 100)))


def double(draw: random.Random, path: Path, _: list[Path]) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    if lines:
        lines.insert(draw.randint(0, len(lines)), draw.choice(lines))
    path.write_bytes(b"".join(lines))


def lose(_: random.Random, path: Path, __: list[Path]) -> None:
    path.unlink()


def lose_job(draw: random.Random, path: Path, _: list[Path]) -> None:
    run = next(each for each in path.parents if (each / "jobs").is_dir())
    shutil.rmtree(draw.choice(sorted((run / "jobs").iterdir())))


def exchange(draw: random.Random, path: Path, others: list[Path]) -> None:
    other, content = draw.choice(others), path.read_bytes()
    path.write_bytes(other.read_bytes())
    other.write_bytes(content)


def replace(draw: random.Random, path: Path, others: list[Path]) -> None:
    foreign = FOREIGN if path.suffix == ".parquet" else draw.choice(others)
    path.write_bytes(foreign.read_bytes())


def link(draw: random.Random, path: Path, others: list[Path]) -> None:
    path.unlink()
    path.symlink_to(draw.choice([*others, FOREIGN, Path("/etc/passwd"), Path("/dev/zero"), path]))


def make_pipe(_: random.Random, path: Path, __: list[Path]) -> None:
    path.unlink()
    os.mkfifo(path)


def make_folder(_: random.Random, path: Path, __: list[Path]) -> None:
    path.unlink()
    path.mkdir()


CORRUPTIONS: tuple[Corruption, ...] = (
    *(flip_bits, truncate, zero, lengthen, double, lose, lose_job),
    *(exchange, replace, link, make_pipe, make_folder),
)


def call(monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> tuple[int, str, str]:
    """A command's exit code, and what it printed."""

    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"{words} hangs")

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "replace", newline="") for _ in range(2))
    monkeypatch.setattr(sys, "argv", ["heorot", *map(str, words)])
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE_SECONDS)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main._run()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return code, _text_of(out), _text_of(err)


def _text_of(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def rows_of(text: str) -> list[dict[str, Any]]:
    return json.loads(text) if text.strip() else []


def look(monkeypatch: pytest.MonkeyPatch, run: Path, sound: Path, rows: list[Any]) -> None:
    """Call the five commands; a printed number is that of the sound run, or marked."""
    found = check_digests(run)
    marked = found.damage or found.changed or found.missing or found.added
    said = {
        name: call(monkeypatch, name, *words)
        for name, words in {
            "status": (run,),
            "verify": (run,),
            "export": (run, "--format", "json"),
            "compare": (sound, run),
            "report": (run,),
        }.items()
    }
    for name, (code, out, err) in said.items():
        assert code in {0, 1, 2}, (name, code)
        assert "Traceback" not in out + err, (name, err)
        assert code != 2 or len(err.strip().splitlines()) <= 3, (name, err)
    code, out, err = said["export"]
    shown = rows_of(out) if code < 2 else []
    assert all(row in rows for row in shown), (err, [row for row in shown if row not in rows])
    if marked:
        assert said["verify"][0] != 0, said["verify"]
        assert said["report"][0] != 0, said["report"]
    elif not found.files:
        assert "digests  none" in said["verify"][1], said["verify"]
        assert "no digests" in said["report"][2], said["report"]


def try_many(monkeypatch: pytest.MonkeyPatch, sound: Path, place: Path, seeds: range) -> None:
    code, out, _ = call(monkeypatch, "export", sound, "--format", "json")
    assert code == 0
    rows = rows_of(out)
    assert rows
    for seed in seeds:
        draw, run = random.Random(seed), place / "corrupted"  # noqa: S311 - no secrets
        shutil.copytree(sound, run)
        files = sorted(each for each in run.rglob("*") if each.is_file())
        corrupt, path = draw.choice(CORRUPTIONS), draw.choice(files)
        corrupt(draw, path, [each for each in files if each != path])
        try:
            look(monkeypatch, run, sound, rows)
        except Exception as error:
            error.add_note(f"seed {seed}: {corrupt.__name__} {path.relative_to(run)}")
            raise
        shutil.rmtree(run)


@pytest.mark.slow
def test_few(concluded: RunDirectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try_many(monkeypatch, concluded.path, tmp_path, range(12))


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many(concluded: RunDirectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try_many(monkeypatch, concluded.path, tmp_path, range(1000, 1500))
