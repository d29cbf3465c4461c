"""Lines above a live display; output of programs and batch systems is text, not markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from heorot.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console


def print_stage(console: Console, text: str) -> None:
    """Say what is being done now."""
    from rich.text import Text

    console.print(Text.assemble(("heorot", "bold"), f" {printable(text)}"))


def print_bad(console: Console, text: str, colour: str = "red") -> None:
    """Say what did not end well."""
    from rich.text import Text

    console.print(Text(printable(text), colour))


def print_disagreements(lines: Iterable[str]) -> None:
    """Print on standard error which files of a run do not agree."""
    for line in lines:
        click.echo(printable(line), err=True)
