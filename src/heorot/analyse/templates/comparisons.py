"""How several pairs of rows compare, in the order in which sentences list them."""

from __future__ import annotations

from collections.abc import Iterable

from heorot.analyse.templates.quantities import ratio, size
from heorot.analyse.templates.template import Template
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.result import Result

_TIMES = Template("comparison", "{gain:times {words}}")


def comparisons(pairs: Iterable[tuple[Result | None, Result | None, str]]) -> list[Claim]:
    """The ratios of several pairs: the largest difference first, those without last.

    Args:
        pairs: the row that is divided, the row to divide by, and what comes behind the ratio, such
            as `as fast as it`; a pair that lacks a row is left out.
    """
    known = [(ratio(above, below), words) for above, below, words in pairs]
    found = [(gain, words) for gain, words in known if gain is not None]
    found.sort(key=lambda each: -size(each[0]))
    return [_TIMES.claim(gain=gain, words=words) for gain, words in found]
