"""The base of all records passed from one stage to the next, and the types of their numbers.

A number of a file out of these bounds is refused where it is read, so that later stages need not
check for negative counts, infinite sums or numbers too large for a column of a table.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

# Unix time within the range of calendars [s].
UnixTime = Annotated[float, Field(ge=0.0, lt=1e11)]
# A length of time, up to thirty thousand years [s].
Seconds = Annotated[float, Field(ge=0.0, lt=1e12, allow_inf_nan=False)]
# A quantity that need not be a whole number, such as a clock rate.
NonNegative = Annotated[float, Field(ge=0.0, lt=1e100, allow_inf_nan=False)]
# Whole numbers of programs and files: 64 bits.
Int64 = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Count = Annotated[int, Field(ge=0, lt=2**63)]
# A count of ranks, nodes or launches: at least one, with a generous upper limit.
PositiveInt = Annotated[int, Field(ge=1, le=1_000_000_000)]


def _file_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_+#-][A-Za-z0-9_+#.-]{0,99}", text):
        raise ValueError("must be up to 100 letters, digits, `_`, `-`, `+`, `#`, `.`, no `.` first")
    return text


def _variable_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text):
        raise ValueError("a variable's name has letters, digits and `_`, and no digit first")
    return text


# A name that becomes part of file names and of job scripts.
FileName = Annotated[str, AfterValidator(_file_name)]
VariableName = Annotated[str, AfterValidator(_variable_name)]


class Record(BaseModel):
    """A frozen record that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
