"""Help in terminals of several widths: nothing is cut, examples keep their columns."""

from __future__ import annotations

import contextlib
import io

import pytest

from heorot.cli.main import _COMMANDS, cli
from tests.unit.cli.test_unknown_options import COMMANDS

EVERY = [(), *COMMANDS, ("lab", "run")]
WIDTHS = (80, 120, 200)


def help_of(words: tuple[str, ...], width: int) -> str:
    """What a terminal of this width shows: click's own runner has a width of its own."""
    shown = io.StringIO()
    with pytest.MonkeyPatch.context() as changed, contextlib.redirect_stdout(shown):
        changed.setenv("COLUMNS", str(width))
        cli.main([*words, "--help"], prog_name="heorot", standalone_mode=False)
    return shown.getvalue()


def squeezed(text: str) -> str:
    """The text wherever its lines are broken."""
    return "".join(text.split())


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_help_fits_the_terminal_and_is_whole(words: tuple[str, ...], width: int) -> None:
    text = help_of(words, width)
    # An example is longer where Heorot is called as ./heorot.
    longest = {line: len(line) + 2 * line.startswith("    heorot ") for line in text.splitlines()}
    assert [line for line, length in longest.items() if length > width] == []
    joined = squeezed(text)
    command = COMMANDS.get(words)
    for parameter in command.params if command else ():
        said = getattr(parameter, "help", None) or ""
        assert squeezed(said) in joined
    # An epilog that keeps its lines keeps their columns.
    for line in ((command.epilog if command else "") or "").splitlines():
        if line.startswith("  heorot "):
            assert line in text


@pytest.mark.parametrize("width", WIDTHS)
def test_descriptions_of_commands_are_not_cut(width: int) -> None:
    top = squeezed(help_of((), width))
    assert [text for text in _COMMANDS.values() if squeezed(text) not in top] == []
    for group in ("lab", "recipe", "batch"):
        joined = squeezed(help_of((group,), width))
        for words, command in COMMANDS.items():
            if words[:1] == (group,) and len(words) == 2:
                sentence = (command.help or "").split("\n\n")[0].split(". ")[0]
                assert squeezed(sentence.rstrip(".")) in joined


def test_a_wide_terminal_is_used() -> None:
    lines = {width: help_of(("evaluate",), width).splitlines() for width in WIDTHS}
    assert len(lines[200]) < len(lines[120]) < len(lines[80])
