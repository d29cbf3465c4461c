"""Lines above a live display; output of programs and batch systems is text, not markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from heorot.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console


def print_stage(console: Console, text: str) -> None:
    """Print the present stage."""
    from rich.text import Text

    console.print(Text.assemble(("heorot", "bold"), f" {printable(text)}"))


def print_bad(console: Console, text: str, colour: str = "red") -> None:
    """Print a failure."""
    from rich.text import Text

    console.print(Text(printable(text), colour))


def print_disagreements(lines: Iterable[str]) -> None:
    """Print on standard error which files of a run do not agree."""
    for line in lines:
        click.echo(printable(line), err=True)
