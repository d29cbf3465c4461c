"""What a job was given to run on."""

from __future__ import annotations

from heorot.model.base import Record
from heorot.model.machine.machine import Node


class Allocation(Record):
    """The hosts of a job, all of one kind.

    Attributes:
        hosts: their names, in the order they are filled.
        node: what each of them is like.
    """

    hosts: tuple[str, ...]
    node: Node
