"""Options that several commands of `heorot lab` share."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import TypeVar, get_args

import click

from heorot.cli import options
from heorot.errors import UsageError
from heorot.lab.quantities import Epilogue, Limits, Scheduler, is_name, parse_latency, parse_rate

_Command = TypeVar("_Command", bound=Callable[..., object])


def read_rate(text: str) -> float:
    """A rate [bit/s]; NaN stands for as fast as it goes."""
    rate = parse_rate(text)
    return math.nan if rate is None else rate


def check_name(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """The name of a lab, as a callback of an option."""
    if not is_name(value):
        raise click.BadParameter(
            f"{value!r} is no name: small letters, digits and -, a letter first", ctx, param
        )
    return value


name_option = click.option(
    "--name", default="lab", show_default=True, callback=check_name, help="Name of the lab."
)


def link_options(function: _Command) -> _Command:
    """Options of links, one way [bit/s, s]."""
    bandwidth = click.option(
        "--bandwidth",
        type=options.Read("rate", read_rate),
        help="Bandwidth of each link, per direction: 100mbit, 1gbit, none.",
    )
    latency = click.option(
        "--latency",
        type=options.Read("time", parse_latency),
        help="Latency between two nodes, one way: 200us, 1ms, none.",
    )
    return bandwidth(latency(function))


def policy_options(function: Callable[..., int]) -> Callable[..., int]:
    """Options of what Slurm does with jobs; the function gets them as one `policy`."""

    @click.option(
        "--scheduler", type=click.Choice(get_args(Scheduler)), default="backfill",
        show_default=True, help="Scheduler of Slurm: with or without backfilling.",
    )  # fmt: skip
    @click.option(
        "--epilogue", type=click.Choice(get_args(Epilogue)), default="none", show_default=True,
        help="Epilog after each job: one that cleans up, that does nothing, or that fails.",
    )  # fmt: skip
    @click.option(
        "--limits", type=click.Choice(get_args(Limits)), default="time", show_default=True,
        help="Limits enforced on jobs: time, time and memory, or none.",
    )  # fmt: skip
    @click.option(
        "--slurm-conf", "settings", multiple=True, metavar="KEY=VALUE",
        help="Setting of slurm.conf, overrides the lab's; repeatable.",
    )  # fmt: skip
    @wraps(function)
    def wrapped(
        *given: object,
        scheduler: Scheduler,
        epilogue: Epilogue,
        limits: Limits,
        settings: tuple[str, ...],
        **others: object,
    ) -> int:
        from pydantic import ValidationError

        from heorot.lab.model import Policy

        try:
            policy = Policy(
                scheduler=scheduler, epilogue=epilogue, limits=limits, settings=settings
            )
        except ValidationError as error:
            said = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
            raise UsageError(f"--slurm-conf: {said}", "man slurm.conf lists the keys") from None
        return function(*given, policy=policy, **others)

    return wrapped


def bits(rate: float | None) -> float | None:
    """A rate as records have it: None for as fast as it goes."""
    return None if rate is None or math.isnan(rate) else rate
