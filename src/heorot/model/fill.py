"""A problem size chosen by the memory of the machine and the time allowed for a launch.

A problem of size v takes `bytes` v^`power` of memory and `work` v^`work_power` operations.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from heorot.model.base import NonNegative, PositiveInt, Record, VariableName

Positive = Annotated[float, Field(gt=0.0, lt=1e30, allow_inf_nan=False)]
Power = Annotated[float, Field(ge=1.0, le=4.0)]


class Fill(Record):
    """A size as large as memory and time allow: the same on each run of a machine.

    Attributes:
        value: its placeholder; a whole number.
        of: whether all ranks share one problem of that size, or each has one.
        share: part of the memory of its nodes for all problems together; a rank has the part of its
            cores.
        multiple: it is a multiple of this, and at least one.
        most: its upper limit.
        work: 0 if its time does not depend on its size.
        rate: operations per second of a core, a low estimate [1/s].
    """

    value: VariableName
    of: Literal["all", "rank"] = "all"
    share: Annotated[float, Field(gt=0.0, le=0.8)]
    bytes: Positive
    power: Power
    multiple: PositiveInt = 1
    most: PositiveInt = 1_000_000_000
    work: NonNegative = 0.0
    work_power: Power = 1.0
    rate: Positive = 1e9
