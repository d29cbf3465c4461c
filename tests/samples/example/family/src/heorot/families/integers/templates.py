"""What is said of integers."""

from __future__ import annotations

from heorot.analyse.templates.template import SentenceTemplate

SIEVE = SentenceTemplate(
    "integers/sieve",
    "One core crosses out {rate} numbers[, one in {cycles:.2g} cycles of its clock].",
    weight=0.3,
)
