"""Programs of this machine are searched once, as in tests of evaluations."""

from tests.unit.session.conftest import seen_once

__all__ = ["seen_once"]
