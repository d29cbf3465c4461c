"""A size that the memory of the machine decides, and the time that a launch may take.

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
        value: the placeholder that has it, a whole number.
        of: whether all ranks share one problem of that size, or each has one.
        share: of the memory of its nodes, that all problems together take; that of a rank is the
            share of its cores.
        multiple: it is a multiple of that, and at least one.
        most: it is no larger.
        work: 0 if its time does not depend on its size.
        rate: operations that a core of the machine does, reckoned low [1/s].
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
