"""An unknown option or command: a near match is suggested, else the help."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from typing import cast

import click
import pytest

from heorot.cli.main import cli, main

Said = Callable[..., tuple[str, str]]

NONSENSE = ("bogus", "foo", "quux", "verbose", "xyzzy", "about", "x")


def _walk(group: click.Group, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = cast("click.Command", group.get_command(context, name))
        yield (*words, name), command
        if isinstance(command, click.Group):
            yield from _walk(command, *words, name)


# Without that which hands options on to another program.
COMMANDS = {
    words: command
    for words, command in _walk(cli)
    if not command.context_settings.get("ignore_unknown_options")
}


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """The line and the hint for a refused command line."""
    monkeypatch.setattr("heorot.cli.terminal.prerequisites.require", lambda _: None)

    def refused(*words: str) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["heorot", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 2
        line, hint = capsys.readouterr().err.splitlines()
        return line, hint

    return refused


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_option_is_offered_for_nonsense(words: tuple[str, ...], said: Said) -> None:
    for each in NONSENSE:
        line, hint = said(*words, f"--{each}")
        assert line == f"heorot: No such option '--{each}'."
        assert hint == f"hint: heorot {' '.join(words)} --help"


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_slip_of_the_pen_is_understood(words: tuple[str, ...], said: Said) -> None:
    options = (each for each in COMMANDS[words].params if isinstance(each, click.Option))
    for name in (name for each in options for name in (*each.opts, *each.secondary_opts)):
        if len(name) > len("--abc"):
            typed = f"{name[:4]}{name[3:]}"  # a letter twice
            line, hint = said(*words, typed)
            assert line == f"heorot: No such option '{typed}'."
            assert hint == f"hint: did you mean {name}?"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("lab", "statsu"), "did you mean status?"),
        (("lab", "bogus"), "heorot lab --help"),
        (("recipe", "lst"), "did you mean list?"),
        (("evaluat",), "did you mean 'evaluate'?"),
        (("rest",), "heorot --help lists the commands"),
        (("start",), "heorot --help lists the commands"),
        (("lab",), "heorot lab --help"),
    ],
)
def test_commands(words: tuple[str, ...], hint: str, said: Said) -> None:
    assert said(*words)[1] == f"hint: {hint}"
