"""Option types that several commands share."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import click
from click.core import ParameterSource

from heorot.errors import HeorotError, UsageError
from heorot.files import leads_nowhere
from heorot.lab.model import is_name
from heorot.model.run.request import TargetRequest
from heorot.ownership.trust import require_own_site
from heorot.session import laboratory
from heorot.suggestion import suggest
from heorot.units import parse_duration

_Command = TypeVar("_Command", bound=Callable[..., object])
_Request = TypeVar("_Request", bound=TargetRequest)
# A year.
_LONGEST_SECONDS = 366 * 86400.0


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
            seconds = parse_duration(str(value))
        except (ValueError, HeorotError) as error:
            self.fail(str(error), param, ctx)
        if not 0.0 < seconds <= _LONGEST_SECONDS:
            self.fail(f"{value} is no time to measure in; such as 90s, 30min or 8h", param, ctx)
        return seconds


class Between(click.ParamType[float]):
    """A number between two others; nan, which no comparison refuses, is none."""

    name = "number"

    def __init__(self, least: float, most: float) -> None:
        self._least, self._most = least, most

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number."""
        try:
            number = float(str(value))
        except ValueError:
            number = math.nan
        if not self._least <= number <= self._most:
            self.fail(f"{value} is no number from {self._least:g} to {self._most:g}", param, ctx)
        return number


class Source(click.ParamType[tuple[str, Path]]):
    """NAME=DIR: where the sources of a program of others are."""

    name = "source"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Path]:
        """The name of the recipe and the directory, absolute."""
        if isinstance(value, tuple):
            return value
        name, equals, directory = str(value).partition("=")
        if not name or not equals or not directory:
            self.fail(f"{value} must be NAME=DIR, such as npb=~/NPB3.4-MPI", param, ctx)
        return name, _home(directory).absolute()


class RecipeName(click.ParamType[str]):
    """A recipe by its name, or its file, absolute: a run may be gone on with from elsewhere."""

    name = "recipe"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """The name or the path."""
        del param, ctx
        text = str(value)
        is_file = "/" in text or text.endswith((".yaml", ".yml"))
        return str(_home(text).absolute()) if is_file else text


class Nodes(click.ParamType[tuple[int, ...]]):
    """Numbers of nodes such as 1,2,4."""

    name = "nodes"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The numbers, each once, in their order."""
        if isinstance(value, tuple):
            return value
        if not re.fullmatch(r"[1-9]\d{0,5}(,[1-9]\d{0,5}){0,99}", str(value)):
            self.fail(f"{value} must be numbers of nodes, such as 1,2,4", param, ctx)
        return tuple(dict.fromkeys(int(number) for number in str(value).split(",")))


class Directory(click.ParamType[Path]):
    """A directory that is there."""

    name = "directory"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """The directory, as it was named."""
        path = Path(str(value))
        try:
            is_directory, is_there = path.is_dir(), path.exists()
        except OSError as error:
            self.fail(f"{path}: {error.strerror}", param, ctx)
        if not is_directory:
            there = f"{path} is no directory" if is_there else f"{path} is not there"
            self.fail(leads_nowhere(path) or there, param, ctx)
        return path


class SiteFile(click.ParamType[Path]):
    """A site file, or `lab` or `lab:NAME` for that of a lab."""

    name = "site"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """The file."""
        lab, _, name = str(value).partition(":")
        if lab != "lab" or Path(str(value)).exists():
            return Path(str(value))
        if name and not is_name(name):
            self.fail(f"{name} is no name of a lab, such as lab or lab-2", param, ctx)
        file = laboratory.find_site_file(name or "lab")
        if file is None:
            up = suggest("lab", "up", *(("--name", name) if name else ()))
            self.fail(f"there is no lab {name or 'lab'}; {up} builds it", param, ctx)
        return file


def _home(text: str) -> Path:
    """A path with the home of its user; as it is, if there is no such user."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 (that of Path fails then)


DURATION = Duration()
NODES = Nodes()
# How many launches, ranks or threads: more than anybody has.
SEVERAL = click.IntRange(1, 10_000_000)
# Numbers are stored in 64 bits.
SEED = click.IntRange(0, 2**63 - 1)
RUN = click.Path(path_type=Path)
quiet = click.option("--quiet", "-q", is_flag=True, help="No progress, only results and errors.")
anyway = click.option(
    "--anyway", is_flag=True, help="Measure although another job of Heorot runs on this machine."
)
_TRUST = "heorot.trust"


def _note_trust(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    del param
    ctx.meta[_TRUST] = value
    return value


def _own_site(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Refuse the site file of another, whose commands would be run, unless he is trusted."""
    del param
    require_own_site(value, trust=ctx.meta.get(_TRUST, False))
    return value


def _trust_option(what: str, *, is_told: bool) -> Callable[[_Command], _Command]:
    # Eager: it is known when the site file is looked at, wherever it stands.
    return click.option(
        "--trust", is_flag=True, is_eager=True, expose_value=is_told, callback=_note_trust,
        help=f"Run what {what} of another user names, under your own name.",
    )  # fmt: skip


trust_site = _trust_option("the site file", is_told=False)
trust = _trust_option("a run directory or site file", is_told=True)
site = click.option(
    "--site",
    type=SiteFile(),
    callback=_own_site,
    metavar="FILE",
    help="YAML file with the site's toolchains, nodes, batch system; or lab, lab:NAME.",
)
batch = click.option(
    "--batch",
    type=click.Choice(["local", "slurm", "pbs", "lsf", "flux"]),
    help="Where jobs go: here and to the site's hosts, or to a batch system (slurm, pbs and "
    "flux were met for real, lsf never); default: what the site file says, else here.",
)
recipe = click.option(
    "--recipe",
    "recipes",
    multiple=True,
    type=RecipeName(),
    metavar="R",
    help="A program of others by name or recipe file, repeatable; see heorot recipe --help.",
)
source = click.option(
    "--source",
    "sources",
    multiple=True,
    type=Source(),
    metavar="NAME=DIR",
    help="Where the sources of a program of others are, repeatable.",
)
timeout = click.option(
    "--timeout",
    "timeout_seconds",
    type=DURATION,
    help="Give up a launch after this long, such as 10min.",
)
toolchain = click.option(
    "--toolchain",
    "toolchains",
    multiple=True,
    metavar="T",
    help="Toolchain by name or glob pattern, repeatable; the default is the embedded one.",
)


def request_of(kind: type[_Request], asked: Mapping[str, object], **more: object) -> _Request:
    """What the options of a command ask for, which are called as the fields of its request."""
    fields = {**asked, **more, "command": ("heorot", *sys.argv[1:])}
    for name in ("site", "jobs", "alone_from"):  # a run may be gone on with from elsewhere
        if isinstance(path := fields.get(name), Path):
            fields[name] = path.absolute()
    if isinstance(pairs := fields.get("sources"), tuple):
        fields["sources"] = dict(pairs)
    return kind.model_validate(fields)


def require_nothing_beside_resume() -> None:
    """Refuse what a run that is gone on with cannot heed: it stays as it was asked for at first.

    Raises:
        UsageError: something of that kind was given.
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in {"resume", "wait", "anyway", "quiet", "trust"}:
            is_option = isinstance(parameter, click.Option)
            what = max(parameter.opts, key=len) if is_option else name.upper()
            raise UsageError("--resume goes on with what was begun", f"leave {what} out")
