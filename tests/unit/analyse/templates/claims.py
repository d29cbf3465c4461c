"""Reads claims: their words, their values and the claims that they enumerate."""

from __future__ import annotations

from heorot.model.analysis.claims import Claim, Quantity


def words(claim: Claim | None) -> str:
    """The text of a claim; empty if there is none."""
    return claim.text if claim else ""


def value(claim: Claim, name: str) -> float:
    """The centre of a quantity, or a count."""
    found = claim.values[name]
    if isinstance(found, Quantity):
        return found.median
    assert isinstance(found, int)
    return found


def parts(claim: Claim, name: str) -> tuple[Claim, ...]:
    """The claims that one enumerates, or the one it holds."""
    found = claim.values[name]
    if isinstance(found, Claim):
        return (found,)
    assert isinstance(found, tuple)
    return found
