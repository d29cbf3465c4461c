"""Identity of a measurement: the key of steps, samples, results and derived values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, get_args

from pydantic import ConfigDict

from heorot.model.base import PositiveInt
from heorot.model.point import NO_OPTIONS, NOWHERE, Options, Point


class Stack(NamedTuple):
    """The toolchain and network of a program.

    Attributes:
        network: which of several networks; empty if there is no choice.
    """

    toolchain: str
    network: str = ""

    def __str__(self) -> str:
        """As tables show it, such as `gnu-12+openmpi-5.0.11+ib`."""
        return "+".join(filter(None, self))


@dataclass(frozen=True, order=True, slots=True)
class Setup:
    """Program, case, build and layout of a measurement; all launches share it.

    Attributes:
        case: the catalogue's name of the case.
        network: which of several networks it uses; empty if there is no choice.
        ranks: MPI ranks in all.
        threads: OpenMP threads per rank.
        per_node: ranks on one node.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    benchmark: str
    case: str
    toolchain: str
    network: str = ""
    nodes: PositiveInt = 1
    ranks: PositiveInt = 1
    threads: PositiveInt = 1
    per_node: PositiveInt = 1
    options: Options = NO_OPTIONS

    @property
    def cores(self) -> int:
        """Cores used."""
        return self.ranks * self.threads

    @property
    def is_star(self) -> bool:
        """Whether every rank runs a serial copy of its own."""
        return self.options.is_star

    @property
    def stack(self) -> Stack:
        """Toolchain and network."""
        return Stack(self.toolchain, self.network)

    @property
    def shape(self) -> str:
        """Nodes x ranks x threads; `?` for unknown parts."""
        return "x".join(str(n or "?") for n in (self.nodes, self.ranks, self.threads))

    @property
    def layout(self) -> str:
        """Nodes x ranks x threads, with all other properties in which layouts differ."""
        text = self.shape
        if self.per_node and (not self.nodes or self.per_node != -(-self.ranks // self.nodes)):
            text += f", {self.per_node} on a node"
        return text + (" copies" if self.is_star else "")


Part = Literal[
    "benchmark", "case", "toolchain", "network", "nodes", "ranks", "threads", "per_node", "options",
    "region", "point",
]  # fmt: skip


@dataclass(frozen=True, order=True, slots=True)
class Key:
    """A measured quantity: the region of a program in a setup, at a point."""

    setup: Setup
    region: str
    point: Point = NOWHERE

    def but(self, **parts: Any) -> Key:  # noqa: ANN401 -- of any part
        """A copy with other parts.

        Args:
            parts: of the key or of its setup, by their names.
        """
        own = {name: parts.pop(name) for name in ("region", "point") if name in parts}
        return replace(self, setup=replace(self.setup, **parts) if parts else self.setup, **own)

    def only(self, *parts: Part) -> Key:
        """A key reduced to these parts, equal for all measurements that agree in them."""
        return _OPEN.but(**{part: _TAKE[part](self) for part in parts})

    def name(self, metric: str) -> str:
        """Names one metric of it within a run: what `evidence` of a finding points to.

        Coordinates stand in the order of their names.
        """
        one = self.setup
        at = ",".join(f"{name}={value}" for name, value in sorted(self.point.items()))
        where = f"{one.shape}/{one.stack}"
        return f"{one.benchmark}:{one.case}:{self.region}[{at}]:{metric}@{where}"


def _taking(part: str) -> Callable[[Key], Any]:
    return attrgetter(part if part in ("region", "point") else f"setup.{part}")


_TAKE: dict[str, Callable[[Key], Any]] = {part: _taking(part) for part in get_args(Part)}
_OPEN = Key(Setup("", "", "", nodes=0, ranks=0, threads=0, per_node=0), "")


class InSetup:
    """Gives records with a setup its parts as attributes."""

    if TYPE_CHECKING:

        @property
        def setup(self) -> Setup:
            """What ran."""

    @property
    def benchmark(self) -> str:
        """The program."""
        return self.setup.benchmark

    @property
    def case(self) -> str:
        """The catalogue's name of the case."""
        return self.setup.case

    @property
    def toolchain(self) -> str:
        """Name of the toolchain."""
        return self.setup.toolchain

    @property
    def network(self) -> str:
        """Which of several networks it uses; empty if there is no choice."""
        return self.setup.network

    @property
    def stack(self) -> Stack:
        """Toolchain and network."""
        return self.setup.stack

    @property
    def nodes(self) -> int:
        """Nodes used."""
        return self.setup.nodes

    @property
    def ranks(self) -> int:
        """MPI ranks in all."""
        return self.setup.ranks

    @property
    def threads(self) -> int:
        """OpenMP threads per rank."""
        return self.setup.threads

    @property
    def per_node(self) -> int:
        """Ranks on one node."""
        return self.setup.per_node

    @property
    def options(self) -> Options:
        """The options that the plan set."""
        return self.setup.options

    @property
    def cores(self) -> int:
        """Cores used."""
        return self.setup.cores

    @property
    def is_star(self) -> bool:
        """Whether every rank ran a serial copy of its own."""
        return self.setup.is_star

    @property
    def copies(self) -> int:
        """Concurrent serial copies; 0 if it was one program."""
        return self.ranks if self.is_star else 0


class Measured(InSetup):
    """Gives records with a key its parts as attributes."""

    if TYPE_CHECKING:

        @property
        def key(self) -> Key:
            """What was measured."""

    else:

        @property
        def setup(self) -> Setup:
            """What ran."""
            return self.key.setup

    @property
    def region(self) -> str:
        """Name of the region."""
        return self.key.region

    @property
    def point(self) -> Point:
        """Its coordinates."""
        return self.key.point
