"""Networks between nodes: measured latency and bandwidth with the quoted and negotiated rates."""

from __future__ import annotations

from heorot.model.base import Count, NonNegative, Record
from heorot.model.machine.nodes import QuotedNetwork


class Measured(Record):
    """A quantity of messages between nodes.

    Attributes:
        median: centre, in the unit of its row.
        ci_low: lower end of the 95 % interval.
    """

    median: float
    ci_low: float
    ci_high: float
    n_launches: int


class Carrier(Record):
    """The interface that carried the bytes between nodes, for steps with counted bytes.

    Attributes:
        interface: the network's own one, if it carried as much as any other, or half of it; else
            the one that carried most.
        carried_bytes: bytes between nodes over it [B].
        named_bytes: the same of the network's own interface [B]; None if the site names none.
    """

    interface: str
    carried_bytes: Count
    named_bytes: Count | None = None
    steps: tuple[str, ...]
    benchmarks: tuple[str, ...]

    @property
    def is_another(self) -> bool:
        """Whether most bytes passed over another interface than the network's own."""
        return self.named_bytes is not None and self.named_bytes < self.carried_bytes


class MeasuredNetwork(Record):
    """A network between nodes as quoted, as negotiated, and as measured.

    Attributes:
        quoted: the first two. If the site names no networks it has the name of an interface.
        toolchain: of the measurement; empty if it was not measured.
        rate: of the longest messages between two nodes, in one direction [B/s]; None if unknown.
        latency: of such messages, one way, by the fitted law [s].
        share: of the quoted rate [1].
        carrier: the interface that carried the bytes; None if no counter saw them.
    """

    quoted: QuotedNetwork
    toolchain: str = ""
    rate: Measured | None = None
    latency: Measured | None = None
    share: NonNegative | None = None
    carrier: Carrier | None = None
