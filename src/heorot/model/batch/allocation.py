"""What a job was given to run on."""

from __future__ import annotations

from pathlib import Path

from heorot.model.base import Record
from heorot.model.machine.machine import Node


class Allocation(Record):
    """The hosts of a job, all of one kind.

    Attributes:
        hosts: their names, in the order they are filled; empty if only the batch system will know
            them, when the job starts.
        at_once: how many of them can work at the same time without taking each other's cores, as
            nodes of a cluster in one box do; None for all.
        node: what each of them is like.
        agent: command that runs another on a host as ssh does; None if none was given.
        shared: whether other jobs may use the same hosts, so that nobody knows which cores are
            free: ranks are not bound then.
    """

    nodes: int = 1
    hosts: tuple[str, ...] = ()
    at_once: int | None = None
    node: Node
    agent: Path | None = None
    shared: bool = False
