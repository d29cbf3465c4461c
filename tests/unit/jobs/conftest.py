"""Directories of jobs as their scripts leave them."""

from tests.unit.collect.conftest import remains as remains  # noqa: PLC0414 (a fixture)
from tests.unit.collect.conftest import step as step  # noqa: PLC0414
