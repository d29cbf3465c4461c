"""Networks between nodes: measured latency and bandwidth, and the interface that carried the bytes.

An interface on top of another one counts the same bytes again: a bond those of its links, a virtual
network those of its adapter. So bytes are compared between interfaces, and never summed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from heorot.analyse.rows import best, largest
from heorot.analyse.templates import nodes as templates
from heorot.analyse.templates.quantities import exactly
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Finding, Result
from heorot.model.analysis.studies.networks import Carrier, Measured, MeasuredNetwork
from heorot.model.catalogue.references import BETWEEN, LATENCY
from heorot.model.machine.machine import Node
from heorot.model.machine.nodes import QuotedNetwork
from heorot.model.run.identity import Stack
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.model.run.records import Traffic
from heorot.model.run.series import Series

# Bytes passed between nodes in a step, by interface [B].
Passed = Mapping[str, int]

_BITS_PER_BYTE = 8.0
# The longest messages, as a quoted rate is a sustained one: traffic shapers let bursts pass.
_SIZE = "bytes"
# Some messages pass inside nodes. With a smaller share of their bytes seen between nodes, the
# counters belong to something else.
_LEAST_SEEN = 0.5
# An interface on top of another one has a little less than that, for the headers.
_AS_MUCH = 0.5


def interfaces_seen(outcomes: Iterable[Outcome]) -> tuple[str, ...]:
    """Names of the interfaces that carried bytes while programs ran on several nodes."""
    return tuple(dict.fromkeys(one.interface for each in outcomes for one in _traffic(each)))


def analyse_networks(
    context: Context, series: Iterable[Series], quoted: Sequence[QuotedNetwork]
) -> tuple[MeasuredNetwork, ...]:
    """A record for each network, and each toolchain with messages over it.

    Args:
        series: the samples, those of pairs of nodes too.
        quoted: the networks of the site, the default one first; if the site names none, the
            interfaces that carried bytes.
    """
    measured = list(_measure(context, _passed(context, series), quoted))
    if context.machine.networks:
        used = {one.quoted.name for one in measured}
        measured += [MeasuredNetwork(quoted=each) for each in quoted if each.name not in used]
    order = [each.name for each in quoted]
    return tuple(sorted(measured, key=lambda one: order.index(one.quoted.name)))


def find_elsewhere(measured: Iterable[MeasuredNetwork]) -> list[Finding]:
    """One finding for each network whose bytes passed another interface."""
    return [
        _elsewhere(one, one.carrier) for one in measured if one.carrier and one.carrier.is_another
    ]


def _traffic(outcome: Outcome) -> tuple[Traffic, ...]:
    return (outcome.end.traffic if outcome.end else None) or ()


def _passed(context: Context, series: Iterable[Series]) -> dict[str, Passed]:
    """Bytes between nodes in each step, by its id; only steps with messages.

    Bytes that one node sends are received by another: the unmatched rest on an interface, as from
    the servers of a file system, is not messages.
    """
    messages: Counter[str] = Counter()
    for one in series:
        if one.nodes > 1:
            messages[one.step] += _message_bytes(context, one)
    found: dict[str, Passed] = {}
    for outcome in context.outcomes:
        passed = {
            one.interface: min(one.sent_bytes, one.received_bytes) for one in _traffic(outcome)
        }
        if sum(passed.values()) > _LEAST_SEEN * messages[outcome.step] > 0:
            found[outcome.step] = passed
    return found


def _message_bytes(context: Context, series: Series) -> int:
    """Bytes of the messages in all samples of a series, as its program counts them [B]."""
    n_bodies = len(series.seconds) * series.repetitions
    published = context.references.publisher(BETWEEN)
    if published and published[0] == series.benchmark:
        metrics = context.benchmarks[series.benchmark].metrics
        metric = next(each for each in metrics if each.name == published[1].metric)
        return int(n_bodies * metric.amount(series.counts))
    return int(n_bodies * sum(sum(phase.bytes) for phase in series.phases))


def _measure(
    context: Context, passed: Mapping[str, Passed], quoted: Sequence[QuotedNetwork]
) -> Iterator[MeasuredNetwork]:
    """A record for each toolchain and network that ran over several nodes."""
    several = [step for step in context.steps if step.nodes > 1]
    for stack in dict.fromkeys(step.stack for step in several):
        steps = [step for step in several if step.stack == stack and step.id in passed]
        if context.machine.networks:
            used = next((each for each in quoted if stack.network in ("", each.name)), None)
            carrier = _carrier(steps, passed, _names(used, context.machine.nodes))
        else:
            carrier = _carrier(steps, passed, frozenset())
            used = next((one for one in quoted if carrier and one.name == carrier.interface), None)
        if used is not None:
            yield _beside(context, used, stack, carrier)


def _beside(
    context: Context, quoted: QuotedNetwork, stack: Stack, carrier: Carrier | None
) -> MeasuredNetwork:
    """Measured values of messages, with the quoted ones."""
    between = [row for row in context.references.find(BETWEEN, stack=stack) if row.nodes > 1]
    rate = largest(between, _SIZE)
    laws = [row for row in context.references.find(LATENCY, stack=stack) if row.nodes > 1]
    bits = quoted.quoted_bits
    return MeasuredNetwork(
        quoted=quoted,
        toolchain=stack.toolchain,
        rate=values_of(rate),
        latency=latency_of(laws),
        share=_BITS_PER_BYTE * rate.median / bits if rate and bits else None,
        carrier=carrier,
    )


def latency_of(laws: Sequence[Result]) -> Measured | None:
    """The latency fitted to the shortest messages; None without a fit.

    Args:
        laws: each holds for a range of sizes, which is its point, or for all sizes.
    """
    starts = [float(row.point.get("from_bytes", -1)) for row in laws]
    first = min(starts, default=0.0)
    pairs = zip(laws, starts, strict=True)
    return values_of(best([row for row, start in pairs if start == first]))


def values_of(row: Result | None) -> Measured | None:
    """The value of a row, with its interval; None without a row."""
    if row is None:
        return None
    return Measured(
        median=row.median, ci_low=row.ci_low, ci_high=row.ci_high, n_launches=row.n_launches
    )


def _names(network: QuotedNetwork | None, nodes: Iterable[Node]) -> frozenset[str]:
    """Names under which the interface of a network is counted; none if the site names none.

    With kernel bypass, programs use the adapter below the kernel's interface, and the adapter
    counts.
    """
    if network is None or network.interface is None:
        return frozenset()
    adapter = network.interface.partition(":")[0]
    found = {network.interface}
    for hca in (each for node in nodes for each in node.hcas):
        if adapter == hca.name or network.interface in hca.interfaces:
            found |= {*hca.interfaces, *(f"{hca.name}:{port.number}" for port in hca.ports)}
    return frozenset(found)


def _carrier(
    steps: Sequence[Step], passed: Mapping[str, Passed], own: frozenset[str]
) -> Carrier | None:
    """The interface that carried the bytes of steps; None if none were seen.

    Args:
        own: names of the network's own interface; none if they are not known.
    """
    total: Counter[str] = Counter()
    for step in steps:
        total.update(passed[step.id])
    if not total:
        return None
    busiest = max(total, key=lambda name: total[name])
    named = max(own, key=lambda name: total[name], default=busiest)
    chosen = named if total[named] >= _AS_MUCH * total[busiest] else busiest
    return Carrier(
        interface=chosen,
        carried_bytes=total[chosen],
        named_bytes=total[named] if own else None,
        steps=tuple(step.id for step in steps),
        benchmarks=tuple(dict.fromkeys(step.benchmark for step in steps)),
    )


def _elsewhere(network: MeasuredNetwork, carrier: Carrier) -> Finding:
    return templates.ELSEWHERE(
        evidence=carrier.steps,
        affected=carrier.benchmarks,
        quoted=network.quoted,
        n_steps=len(carrier.steps),
        toolchain=network.toolchain,
        carrier=carrier,
        carried=exactly(carrier.carried_bytes, "B"),
        named=exactly(carrier.named_bytes or 0, "B"),
    )
