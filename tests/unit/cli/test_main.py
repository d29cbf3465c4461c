"""The entry point: finds commands; errors become a line, a hint and an exit code."""

from __future__ import annotations

import errno
import signal
import sys
from collections.abc import Callable, Iterator

import pytest
from click.testing import CliRunner

from heorot.cli.main import _COMMANDS, cli, main
from heorot.errors import SetupError
from heorot.families import BENCHMARKS, FAMILIES
from heorot.session import inspection

Heorot = Callable[..., int]


@pytest.fixture
def heorot(monkeypatch: pytest.MonkeyPatch) -> Iterator[Heorot]:
    """Runs a command line, gives its exit code."""
    before = signal.getsignal(signal.SIGTERM)

    def heorot(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["heorot", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        assert isinstance(ended.value.code, int)
        return ended.value.code

    yield heorot
    signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("name", list(_COMMANDS))
def test_every_command_explains_itself(name: str) -> None:
    shown = CliRunner().invoke(cli, [name, "--help"])
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith(f"Usage: cli {name} ")
    assert "Example" in shown.output
    assert name in CliRunner().invoke(cli, ["--help"]).output


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["evaluat"], "no such command: evaluat", "did you mean 'evaluate'?"),
        (["weather"], "no such command: weather", "heorot --help lists the commands"),
        (["report"], "Missing argument 'RUN'.", "heorot report --help"),
        (["list", "--famly", "npb"], "No such option '--famly'.", "did you mean --family?"),
        (["evaluate", "--budget", "soon"], "Invalid value for '--budget'", "heorot evaluate -"),
        (["evaluate", "--budget", "0"], "Invalid value for '--budget': 0 is not a", "heorot eval"),
        (["evaluate", "--budget", "9" * 40], "Invalid value for '--budget': 9", "heorot evaluate"),
        (
            ["evaluate", "--nodes", "abc"],
            "Invalid value for '--nodes': abc must be",
            "heorot evaluate",
        ),
        (["evaluate", "--nodes", "0"], "Invalid value for '--nodes': 0 must be", "heorot evaluate"),
        (
            ["evaluate", "--anyway", "--nodes", "2"],
            "2 nodes are asked for, this machine is 1 node",
            "submit to",
        ),
        (["evaluate", "--seed", "9" * 400], "Invalid value for '--seed': 9", "heorot evaluate"),
        (["run", "npb/ep", "--ranks", "9" * 30], "Invalid value for '--ranks': 9", "heorot run -"),
    ],
)
def test_mistakes_of_usage(
    heorot: Heorot,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
    hint: str,
) -> None:
    assert heorot(*arguments) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert said[0].startswith(f"heorot: {message}"), said
    assert said[1].startswith(f"hint: {hint}"), said


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (SetupError("no compiler", "install g++"), 2, "heorot: no compiler\nhint: install g++\n"),
        (SetupError("two\nlines", "one"), 2, "heorot: two lines\nhint: one\n"),
        (KeyboardInterrupt(), 130, ""),
        (OSError(errno.ENOSPC, "No space left", "x"), 2, "heorot: No space left: x\nhint: free"),
    ],
)
def test_errors_become_exit_codes(
    heorot: Heorot,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    said: str,
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(inspection, "describe_machine", fail)
    assert heorot("machine") == code
    assert capsys.readouterr().err.startswith(said)


def test_a_mistake_of_ours_keeps_its_traceback(
    monkeypatch: pytest.MonkeyPatch, heorot: Heorot
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EBADF, "Bad file descriptor")

    monkeypatch.setattr(inspection, "describe_machine", fail)
    with pytest.raises(OSError, match="Bad file descriptor"):
        heorot("machine")


def test_a_command_without_a_complaint_is_exit_code_0(
    heorot: Heorot, capsys: pytest.CaptureFixture[str]
) -> None:
    assert heorot("list", "--family", "memory") == 0
    assert capsys.readouterr().out.startswith("Memory\n  memory/stream ")
    assert heorot("list", "--family", "weather") == 2


def test_one_program_is_listed_with_all_that_its_source_says(
    heorot: Heorot, capsys: pytest.CaptureFixture[str]
) -> None:
    assert heorot("list", "memory/stream") == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "memory/stream\n  which memory bandwidth do the cores of a node sustain (STREAM)?\n"
    )
    assert "\n  Method\n    Three arrays a, b, c of n doubles" in said
    assert "\n      triad: a(i) = b(i) + s c(i)\n" in said
    assert "\n  Example\n    heorot run memory/stream --set" in said
    assert "memory/gups" not in said


@pytest.mark.parametrize(
    ("words", "complaint", "hint"),
    [
        (["memory/steam"], "no benchmark 'memory/steam'", "did you mean memory/stream?"),
        (["qqq"], "no benchmark 'qqq'", "heorot list shows all"),
        (
            ["memory/gups", "--family", "npb"],
            "no benchmark 'memory/gups' in family 'npb'",
            "heorot list shows all",
        ),
    ],
)
def test_a_program_that_is_not_there_is_not_listed(
    heorot: Heorot,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    complaint: str,
    hint: str,
) -> None:
    assert heorot("list", *words) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert hint in said


def test_the_list_is_a_line_for_each_benchmark_below_its_family(
    heorot: Heorot, capsys: pytest.CaptureFixture[str]
) -> None:
    assert heorot("list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 60
    # Nothing is cut on 80 columns.
    assert max(map(len, lines)) <= 80
    listed = [line.strip().partition(" ") for line in lines if line.startswith("  ")]
    found = {name: text.strip() for name, _, text in listed}
    assert found == {one.name: one.measures for one in BENCHMARKS}
    assert [line for line in lines[:-1] if line[0] != " "] == [one.title for one in FAMILIES]
    assert lines[-1] == "in full: heorot list compute/peak"


@pytest.mark.parametrize("words", [["memory"], ["memory/*"], ["--family", "memory"]])
def test_a_family_is_listed_by_its_name_or_a_pattern(
    heorot: Heorot, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert heorot("list", *words) == 0
    said = capsys.readouterr().out
    assert said.count("\n  memory/") == 6
    assert "compute/" not in said


def test_a_narrow_terminal_gets_lines_that_fit(
    heorot: Heorot, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert heorot("list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 60
    assert any(line.endswith(" ...") for line in lines)


def test_the_long_list_has_question_metrics_and_source(
    heorot: Heorot, capsys: pytest.CaptureFixture[str]
) -> None:
    assert heorot("list", "memory/s*", "--long") == 0
    first, question, metrics, compares, source = capsys.readouterr().out.splitlines()
    assert (first, question) == (
        "memory/stream",
        "  which memory bandwidth do the cores of a node sustain (STREAM)?",
    )
    assert metrics == "  metrics  bandwidth [B/s]"
    assert compares == "  compares yes"
    assert "McCalpin" in source


def test_without_arguments_it_explains_itself(
    heorot: Heorot, capsys: pytest.CaptureFixture[str]
) -> None:
    assert heorot() == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Usage: heorot [OPTIONS] [COMMAND] [ARGS]..."
    assert ["evaluate", "plan,", "build,", "measure,", "analyse,", "report"] in map(str.split, said)
    assert "    heorot evaluate --profile smoke     a first look, under a minute" in said


@pytest.mark.parametrize("arguments", [(), ("evaluate", "--help")])
def test_examples_and_hints_are_what_was_typed(
    heorot: Heorot,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.setenv("HEOROT_TYPED", "./heorot")
    assert heorot(*arguments) == 0
    said = capsys.readouterr().out
    assert said.startswith(" ".join(["Usage: ./heorot", *arguments[:1]]))
    assert "  ./heorot evaluate --profile smoke" in said
    assert "  heorot " not in said
    assert heorot("report") == 2
    assert capsys.readouterr().err.endswith("hint: ./heorot report --help\n")
