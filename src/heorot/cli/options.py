"""Option types that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.errors import HeorotError
from heorot.units import parse_duration


class Duration(click.ParamType[float]):
    """A length of time such as 90s, 30min, 1h or 1:30:00, converted to seconds."""

    name = "duration"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Seconds [s]."""
        if isinstance(value, float):
            return value
        try:
            return parse_duration(str(value))
        except (ValueError, HeorotError) as error:
            self.fail(str(error), param, ctx)


DURATION = Duration()
RUN = click.Path(path_type=Path)
quiet = click.option("--quiet", "-q", is_flag=True, help="No progress, only results and errors.")
anyway = click.option(
    "--anyway", is_flag=True, help="Measure although another job of Heorot runs on this machine."
)
site = click.option(
    "--site",
    type=click.Path(dir_okay=False, path_type=Path),
    help="YAML file with the site's name and toolchains.",
)
toolchain = click.option(
    "--toolchain",
    "toolchains",
    multiple=True,
    metavar="T",
    help="Toolchain by name or glob pattern, repeatable; the default is the embedded one.",
)
