"""Option types, options and a group class that several commands share."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar, cast

import click
from click.core import ParameterSource

from heorot.errors import UsageError
from heorot.files import leads_nowhere
from heorot.lab.quantities import is_name
from heorot.ownership.trust import require_own_site
from heorot.suggestion import suggest
from heorot.units import parse_duration

if TYPE_CHECKING:
    from heorot.model.run.request import TargetRequest

_Command = TypeVar("_Command", bound=Callable[..., object])
_Request = TypeVar("_Request", bound="TargetRequest")
_Value = TypeVar("_Value")
# A year.
_LONGEST_SECONDS = 366 * 86400.0
# Longer than any sentence of help.
_WHOLE = 10_000


class Read(click.ParamType[_Value]):
    """A parameter type whose values a function parses.

    Args:
        name: shown in the help of options without a metavar.
        read: raises ValueError for an invalid text.
    """

    def __init__(self, name: str, read: Callable[[str], _Value]) -> None:
        self.name, self._read = name, read

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> _Value:
        if not isinstance(value, str):  # a default value
            return cast("_Value", value)
        try:
            return self._read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _duration(text: str) -> float:
    """A duration such as 90s, 30min, 1h or 1:30:00 [s]."""
    seconds = parse_duration(text)
    if not 0.0 < seconds <= _LONGEST_SECONDS:
        raise ValueError(f"{text} is not a duration such as 90s, 30min or 8h")
    return seconds


def between(least: float, most: float) -> Read[float]:
    """A number in a range; NaN is refused."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            raise ValueError(f"{text} is not a number from {least:g} to {most:g}")
        return number

    return Read("number", read)


def _source(text: str) -> tuple[str, Path]:
    """NAME=DIR: the name of a recipe and the directory of its sources, absolute."""
    name, equals, directory = text.partition("=")
    if not name or not equals or not directory:
        raise ValueError(f"{text} must be NAME=DIR, such as npb=~/NPB3.4-MPI")
    return name, _home(directory).absolute()


def _recipe(text: str) -> str:
    """A recipe by its name, or its file, absolute: a run may be resumed from elsewhere."""
    is_file = "/" in text or text.endswith((".yaml", ".yml"))
    return str(_home(text).absolute()) if is_file else text


def _nodes(text: str) -> tuple[int, ...]:
    """Numbers of nodes such as 1,2,4, without duplicates, in their order."""
    if not re.fullmatch(r"[1-9]\d{0,5}(,[1-9]\d{0,5}){0,99}", text):
        raise ValueError(f"{text} must be numbers of nodes, such as 1,2,4")
    return tuple(dict.fromkeys(int(number) for number in text.split(",")))


def _per_node(text: str) -> tuple[int | Literal["all"], ...]:
    """Numbers of ranks per node such as 1,2,4,all, without duplicates."""
    if not re.fullmatch(r"(all|[1-9]\d{0,5})(,(all|[1-9]\d{0,5})){0,99}", text):
        raise ValueError(f"{text} must be numbers of ranks on a node or all, such as 1,2,4,all")
    found: dict[str, int | Literal["all"]] = {}
    for word in text.split(","):
        if word in found:
            raise ValueError(f"{text} has {word} twice")
        found[word] = "all" if word == "all" else int(word)
    return tuple(found.values())


def _directory(text: str) -> Path:
    """An existing directory, as named."""
    path = Path(text)
    try:
        is_directory, is_there = path.is_dir(), path.exists()
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from error
    if not is_directory:
        there = f"{path} is not a directory" if is_there else f"{path} does not exist"
        raise ValueError(leads_nowhere(path) or there)
    return path


def _site_file(text: str) -> Path:
    """A site file, or `lab` or `lab:NAME` for that of a lab."""
    lab, _, name = text.partition(":")
    if lab != "lab" or Path(text).exists():
        return Path(text)
    if name and not is_name(name):
        raise ValueError(f"{name} is not a name of a lab, such as lab or lab-2")
    from heorot.session import laboratory

    file = laboratory.find_site_file(name or "lab")
    if file is None:
        up = suggest("lab", "up", *(("--name", name) if name else ()))
        raise ValueError(f"there is no lab {name or 'lab'}; {up} builds it")
    return file


def _home(text: str) -> Path:
    """A path with the user's home expanded; unchanged if there is no such user."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 (that of Path fails then)


DURATION = Read("duration", _duration)
NODES = Read("nodes", _nodes)
PER_NODE = Read("ranks", _per_node)
DIRECTORY = Read("directory", _directory)
# Limit of launches, ranks and threads.
SEVERAL = click.IntRange(1, 10_000_000)
# Numbers are stored in 64 bits.
SEED = click.IntRange(0, 2**63 - 1)
RUN = click.Path(path_type=Path)
quiet = click.option("--quiet", "-q", is_flag=True, help="Print only results and errors.")
anyway = click.option(
    "--anyway", is_flag=True, help="Measure even if another Heorot job runs on this machine."
)
_TRUST = "heorot.trust"


def _note_trust(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    del param
    ctx.meta[_TRUST] = value
    return value


def _own_site(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Refuse the site file of another user, whose commands would be run, without --trust."""
    del param
    require_own_site(value, trust=ctx.meta.get(_TRUST, False))
    return value


def _trust_option(what: str, *, is_passed: bool) -> Callable[[_Command], _Command]:
    # Eager: known when the site file is checked, whatever the order of options.
    return click.option(
        "--trust", is_flag=True, is_eager=True, expose_value=is_passed, callback=_note_trust,
        help=f"Run commands named by another user's {what}, as yourself.",
    )  # fmt: skip


trust_site = _trust_option("site file", is_passed=False)
trust = _trust_option("run directory or site file", is_passed=True)
site = click.option(
    "--site",
    type=Read("site", _site_file),
    callback=_own_site,
    metavar="FILE",
    help="Site file (YAML): toolchains, nodes, batch system; or lab, lab:NAME.",
)
batch = click.option(
    "--batch",
    type=click.Choice(["local", "slurm", "pbs", "lsf", "flux"]),
    help="Submit to this batch system, or run here and on the site's hosts (local). slurm, pbs "
    "and flux are tested on real systems, lsf is not. Default: from the site file, else local.",
)
recipe = click.option(
    "--recipe",
    "recipes",
    multiple=True,
    type=Read("recipe", _recipe),
    metavar="R",
    help="Third-party benchmark: name or recipe file; repeatable. See heorot recipe --help.",
)
source = click.option(
    "--source",
    "sources",
    multiple=True,
    type=Read("source", _source),
    metavar="NAME=DIR",
    help="Source directory of a third-party benchmark; repeatable.",
)
timeout = click.option(
    "--timeout",
    "timeout_seconds",
    type=DURATION,
    help="Kill a launch after this time, such as 10min.",
)
toolchain = click.option(
    "--toolchain",
    "toolchains",
    multiple=True,
    metavar="T",
    help="Toolchain by name or glob pattern; repeatable. Default: the embedded one.",
)


class Commands(click.Group):
    """A group that shows the whole first sentence of each of its commands."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, command.get_short_help_str(_WHOLE))
                    for name, command in commands.items()
                    if command is not None
                ]
            )


def request_of(kind: type[_Request], asked: Mapping[str, object], **more: object) -> _Request:
    """The request made of a command's options, which are named like its fields."""
    fields = {**asked, **more, "command": ("heorot", *sys.argv[1:])}
    for name in ("site", "jobs", "alone_from"):  # a run may be resumed from elsewhere
        if isinstance(path := fields.get(name), Path):
            fields[name] = path.absolute()
    if isinstance(pairs := fields.get("sources"), tuple):
        fields["sources"] = dict(pairs)
    return kind.model_validate(fields)


def require_nothing_beside_resume() -> None:
    """Refuse options together with --resume: a resumed run keeps its own.

    Raises:
        UsageError: one was given.
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in {"resume", "wait", "anyway", "quiet", "trust"}:
            is_option = isinstance(parameter, click.Option)
            what = max(parameter.opts, key=len) if is_option else name.upper()
            raise UsageError(f"--resume keeps the options of the run: {what}", f"leave {what} out")
