"""`heorot schema`: JSON schemas of the files that users write, for editors."""

from __future__ import annotations

import json

import click
from pydantic import BaseModel

from heorot.document.schema import json_schema
from heorot.model.analysis.published import Publication
from heorot.model.machine.site import Site
from heorot.model.recipe import Recipe
from heorot.throughput.workload.jobs_file import JobFile

FILES: dict[str, tuple[type[BaseModel], str]] = {
    "site": (Site, "Heorot site file"),
    "recipe": (Recipe, "Heorot recipe"),
    "jobs": (JobFile, "Heorot file of jobs"),
    "published": (Publication, "Heorot published machine"),
}
_EPILOG = """\b
Examples:
  heorot schema site > site.schema.json
  heorot schema recipe > recipe.schema.json
\b
First line of a YAML file, for editors with the YAML language server:
  # yaml-language-server: $schema=site.schema.json
"""


@click.command(name="schema", epilog=_EPILOG)
@click.argument("file", type=click.Choice(list(FILES)))
def command(file: str) -> int:
    """Print the JSON schema of a site file, a recipe, a file of jobs or a published machine.

    The schema has every key with its description. It refuses unknown keys, as Heorot does.
    """
    click.echo(json.dumps(json_schema(*FILES[file]), indent=1))
    return 0
