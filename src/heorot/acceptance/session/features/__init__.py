"""The features of a batch system that a check tests."""

from __future__ import annotations

from heorot.acceptance.session.feature import Feature
from heorot.acceptance.session.features import (
    accounts,
    control,
    empty_system,
    interactive,
    leftovers,
    limits,
    nodes,
    ordering,
    passing,
    placement,
)

FEATURES: tuple[Feature, ...] = (
    *empty_system.FEATURES,
    *passing.FEATURES,
    *control.FEATURES,
    *limits.FEATURES,
    *ordering.FEATURES,
    *placement.FEATURES,
    *leftovers.FEATURES,
    *nodes.FEATURES,
    *interactive.FEATURES,
    *accounts.FEATURES,
)
