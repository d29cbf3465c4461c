"""Which file systems are tested, and the space that cases need in them."""

from __future__ import annotations

from heorot.catalogue.asked import Asked
from heorot.model.catalogue.benchmark import Case
from heorot.model.catalogue.need import Space
from heorot.model.machine.machine import Machine
from heorot.model.resource import filesystem

# The directory and a file to try what the file system can do, besides a file of each rank.
_MORE_INODES = 2


def in_file_system(program: str, machine: Machine, case: Case) -> Case:
    """The case with the space that it needs, if its directory is a role of a file system."""
    role = str(case.options.get("directory", ""))
    if role not in {place.role for place in machine.filesystems}:
        return case
    space = Space(bytes=Asked(program, case).cost("file_bytes"), inodes=case.ranks + _MORE_INODES)
    files = {"files": {role: space}, "exclusive": (filesystem(role),)}
    return case.model_copy(update={"needs": case.needs.model_copy(update=files)})


def roles(machine: Machine) -> list[str]:
    """Roles of the file systems that are tested: one each, the home directory never unasked."""
    places = {
        place.mount_point or place.path: place.role
        for place in reversed(machine.filesystems)
        if place.role != "home"
    }
    found = [each.role for each in machine.filesystems if each.role in places.values()]
    return found or ["work"]
