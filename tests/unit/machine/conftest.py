"""Gives the machine tests the captured texts."""

from collections.abc import Callable
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "samples" / "machine"


@pytest.fixture
def samples() -> Path:
    """The folder with one root directory per captured machine."""
    return SAMPLES


@pytest.fixture
def banner() -> Callable[[str], str]:
    """Reads the captured version text of a program."""
    return lambda name: (SAMPLES / "banners" / f"{name}.txt").read_text()
