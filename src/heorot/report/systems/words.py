"""How counts of cores and networks are worded, on the terminal and on the page."""

from __future__ import annotations

from heorot.model.analysis.studies.systems import Advantage, CoreCount, lead_of, letter_of
from heorot.model.machine.site import SiteNetwork
from heorot.report.wording import word_name, word_point
from heorot.units import NOTHING, format_quantity, plural


def word_count(one: CoreCount, other: int) -> str:
    """Cores with both layouts if these differ, who leads by how much, what speaks against it.

    Args:
        other: number of the system that is compared with the first.
    """
    layout = f" as {one.layouts}" if " / " in one.layouts else ""
    marks = f" ({', '.join(one.marks)})" if one.marks else ""
    return f"{one.cores}{layout}: {_word_lead(one, other)}{marks}"


def _word_lead(one: CoreCount, other: int) -> str:
    """Such as `B by 12.0 % [10.1, 13.9; 5 launches]`."""
    if one.verdict == "indistinguishable":
        return f"alike, {_word_share(one, 1.0)}"
    is_ahead = one.ratio >= 1.0
    return f"{letter_of(other if is_ahead else 0)} by {_word_share(one, 1.0 if is_ahead else -1.0)}"


def _word_share(one: CoreCount, sign: float) -> str:
    """The lead with its interval and the launches of both."""
    lead = _percent(sign * lead_of(one.ratio))
    if one.low is None or one.high is None:
        return f"{lead} %, interval unknown"
    ends = sorted(sign * lead_of(end) for end in (one.low, one.high))
    first, second = one.launches
    n = plural(first, "launch") if first == second else f"{first} and {second} launches"
    return f"{lead} % [{', '.join(map(_percent, ends))}; {n}]"


def _percent(share: float) -> str:
    """A share [1] with a decimal; nothing has no sign."""
    return f"{round(100.0 * share, 1) + 0.0:.1f}"


def problem_words(one: Advantage) -> list[str]:
    """Region and point of a problem; the region only where it is another than the program."""
    region = "" if one.benchmark.rpartition("/")[2] == one.region else word_name(one.region)
    return [*filter(None, (region, word_point(one.point)))]


def network_words(network: SiteNetwork) -> tuple[str, str, str, str]:
    """Rate and latency as quoted, whether others use it too, topology."""
    use = {None: "unknown", True: "shared with others", False: "of messages alone"}
    return (
        format_quantity(network.rate_bits, "bit/s"),
        format_quantity(network.latency_seconds, "s"),
        use[network.shared],
        network.topology or NOTHING,
    )
