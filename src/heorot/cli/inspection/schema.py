"""`heorot schema`: JSON schemas of the files that users write, for editors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pydantic import BaseModel

_EPILOG = """\b
Examples:
  heorot schema site > site.schema.json
  heorot schema recipe > recipe.schema.json
\b
First line of a YAML file, for editors with the YAML language server:
  # yaml-language-server: $schema=site.schema.json
"""


@click.command(name="schema", epilog=_EPILOG)
@click.argument("file", type=click.Choice(["site", "recipe", "jobs", "published"]))
def command(file: str) -> int:
    """Print the JSON schema of a site file, a recipe, a file of jobs or a published machine.

    The schema has every key with its description. It refuses unknown keys, as Heorot does.
    """
    from heorot.document.schema import json_schema

    click.echo(json.dumps(json_schema(*files()[file]), indent=1))
    return 0


def files() -> dict[str, tuple[type[BaseModel], str]]:
    """The record and the title of each file, by its name here."""
    from heorot.model.analysis.published import Publication
    from heorot.model.machine.site import Site
    from heorot.model.recipe import Recipe
    from heorot.throughput.workload.jobs_file import JobFile

    return {
        "site": (Site, "Heorot site file"),
        "recipe": (Recipe, "Heorot recipe"),
        "jobs": (JobFile, "Heorot file of jobs"),
        "published": (Publication, "Heorot published machine"),
    }
