"""Damaged outputs of shipped programs: figures, gaps or a reason; no gap goes unnoticed."""

from __future__ import annotations

import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.recipes.printed import plain
from tests.unit.damage import damaged_bytes, damaged_lines
from tests.unit.recipes.outputs.test_garbled import record_of, sample, values
from tests.unit.recipes.test_shipped import OUTPUTS

# In the longest ones, damage would mostly hit unread text.
_SHORT = sorted(set(OUTPUTS) - {"gromacs", "gromacs-mpi", "hpcc"})
_BETWEEN = (
    b"\0",
    b"\x1b[31m",
    b"[n1] warning\n",
    b"\r",
    b"\n",
    b"\xff",
    b"-1",
    b"nan",
    b",",
    b"***",
)


@cache
def _places(name: str) -> frozenset[tuple[str, object, str]]:
    return frozenset(values(record_of(name, sample(name))))


@st.composite
def interleaved(draw: st.DrawFn, content: bytes) -> bytes:
    """The content with text of another process between two bytes, up to three times."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(content)))
        content = content[:at] + draw(st.sampled_from(_BETWEEN)) + content[at:]
    return content


@pytest.mark.slow
@given(st.data())
def test_damaged_outputs_have_no_hole_that_passes(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(_SHORT))
    whole = sample(name)
    output = data.draw(damaged_bytes(whole) | damaged_lines(whole) | interleaved(whole))
    record = record_of(name, output)
    if record.problem:
        assert len(record.problem.splitlines()) == 1
        assert record.problem.isprintable()
        return
    assert record.end
    assert record.end.failed == sum(not check.passed for check in record.checks)
    if record.end.passed:
        assert set(values(record)) == _places(name)


_PIECES = st.sampled_from((*_BETWEEN, b"\x1b", b"\b"))


@given(st.binary(max_size=300) | st.lists(_PIECES).map(b"".join))
def test_any_bytes_become_plain_text(content: bytes) -> None:
    text = plain(content)
    assert "\0" not in text
    assert "\r" not in text
    assert "\b" not in text
    assert not re.search("\x1b\\[[0-9;]*m", plain(text.encode()))
