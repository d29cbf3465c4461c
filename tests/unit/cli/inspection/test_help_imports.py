"""What help imports: no library that only the work of a command needs."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import get_args

import click
from click.testing import CliRunner

from heorot.cli.evaluate import command as evaluate
from heorot.cli.inspection.listing import command as listing
from heorot.cli.runs.export import command as export
from heorot.families import FAMILIES
from heorot.model.catalogue.benchmark import PROFILES
from heorot.model.machine.site import BatchName
from heorot.store.results import ExportFormat

# In one process of its own; the imports of a command's help are printed with its name.
HELP = """
import contextlib, io, json, sys
from heorot.cli.main import cli
import click

HEAVY = ("numpy", "scipy", "pydantic", "duckdb", "jinja2", "rich", "ruamel", "archspec", "re2")
found = {}
def show(words):
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        cli.main([*words, "--help"], prog_name="heorot", standalone_mode=False)
    assert "Usage: heorot" in shown.getvalue()
    found[" ".join(words)] = [name for name in HEAVY if name in sys.modules]
show([])
for name in cli.list_commands(None):
    show([name])
    command = cli.get_command(None, name)
    for own in getattr(command, "commands", {}):
        show([name, own])
print(json.dumps(found))
"""


def test_help_imports_no_library_that_only_the_work_needs() -> None:
    shown = subprocess.run([sys.executable, "-c", HELP], capture_output=True, check=True).stdout
    found = json.loads(shown)
    assert {"", "evaluate", "simulate-batch", "lab up", "recipe check"} <= {*found}
    assert {name: heavy for name, heavy in found.items() if heavy} == {}


def _choices(command: click.Command, name: str) -> tuple[str, ...]:
    kind = next(each for each in command.params if each.name == name).type
    assert isinstance(kind, click.Choice)
    return tuple(kind.choices)


def test_choices_are_those_of_the_records() -> None:
    assert _choices(evaluate, "profile") == PROFILES
    assert _choices(evaluate, "batch") == ("local", *get_args(BatchName))
    assert _choices(export, "format_") == get_args(ExportFormat)


def test_the_families_are_those_that_the_help_of_list_names() -> None:
    shown = " ".join(CliRunner().invoke(listing, ["--help"]).output.split())
    assert f"Only this family: {', '.join(family.name for family in FAMILIES)}." in shown
