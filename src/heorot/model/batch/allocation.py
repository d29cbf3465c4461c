"""The allocation of a job."""

from __future__ import annotations

from pathlib import Path

from heorot.model.base import Record
from heorot.model.machine.machine import Node


class Allocation(Record):
    """The hosts of a job, all of one kind.

    Attributes:
        hosts: their names, in the order they are filled; empty if only the batch system will know
            them, when the job starts.
        at_once: number of hosts that can work at the same time without sharing cores, as in a lab
            on one computer; None for all.
        node: description of each host.
        agent: command that runs another one on a host, like ssh; None if none was given.
        shared: whether other jobs may use the same hosts: it is unknown which cores are free, and
            ranks are not bound.
    """

    nodes: int = 1
    hosts: tuple[str, ...] = ()
    at_once: int | None = None
    node: Node
    agent: Path | None = None
    shared: bool = False
