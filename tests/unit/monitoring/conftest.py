"""What is found on this machine is found once, as in tests of evaluations."""

from tests.unit.session.conftest import seen_once

__all__ = ["seen_once"]
