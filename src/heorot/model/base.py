"""The base of every record that passes from one stage to the next."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

# Unix time that a calendar can show [s].
Moment = Annotated[float, Field(ge=0.0, lt=1e11)]


class Record(BaseModel):
    """A frozen record that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
