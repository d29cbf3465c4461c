"""A case's needs are subtracted from the machine's offer: every refusal has the missing amount."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from heorot.model.catalogue.benchmark import Case
from heorot.model.catalogue.need import CheckedFile, Need, Space
from heorot.model.machine.machine import FileSystem
from heorot.model.resource import LINK, NODE
from heorot.plan.offer import FoundFile, Offer

GIB = 1 << 30
SCRATCH = FileSystem(
    role="scratch",
    path="/scratch/me",
    mount_point="/scratch",
    kind="lustre",
    free_bytes=8 * GIB,
    free_inodes=1000,
)
LOCAL = FileSystem(role="local", path="/local", mount_point="/local", kind="xfs", free_bytes=GIB)
MESH = Path("/data/mesh.h5")
_WHERE = "the file system scratch (/scratch)"
OFFER = Offer(
    cores=4,
    memory_bytes=10 * GIB,
    nodes=2,
    devices={"gpu": 2},
    device_variables={"gpu": "CUDA_VISIBLE_DEVICES"},
    filesystems=(SCRATCH, LOCAL),
    inputs={
        MESH: FoundFile(sha256="ab" * 32, bytes=GIB),
        Path("/data/none"): FoundFile(trouble="No such file or directory"),
    },
)


def lacks(offer: Offer = OFFER, at_once: int = 1, launches: int = 1, **fields: Any) -> list[str]:
    """Unmet needs of a case with these needs, or other fields."""
    own = {name: fields.pop(name) for name in ("ranks", "nodes", "kind") if name in fields}
    case = Case(name="c", options={}, needs=Need(**fields), **own)
    return list(offer.lacks(case, at_once=at_once, launches=launches))


@pytest.mark.parametrize(
    ("needs", "reason"),
    [
        ({"ranks": 6}, "needs 6 cores, 4 may be used: 2 too many"),
        ({"ranks": 6, "nodes": 3}, "needs 3 nodes, 2 may be used: 1 too many"),
        ({"kind": "E-core"}, "needs a core of kind E-core, which not every node has"),
        (
            {"memory_bytes": 12 * GIB},
            "needs 12 GiB of memory, 8.5 GiB may be used: 3.5 GiB too much",
        ),
        ({"devices": {"gpu": 3}}, "needs 3 gpus, 2 may be used: 1 too many"),
        ({"devices": {"fpga": 1}}, "needs 1 fpga, 0 may be used: 1 too many"),
        (
            {"files": {"scratch": Space(bytes=12 * GIB)}},
            f"needs 12 GiB of room in {_WHERE}, 8 GiB are free: 4 GiB too much",
        ),
        (
            {"files": {"scratch": Space(inodes=1500)}},
            "needs 1500 files in the file system scratch (/scratch), 1000 are free: 500 too many",
        ),
        (
            {"files": {"archive": Space(bytes=1)}},
            "needs a file system archive, and the site file names none: `filesystems`",
        ),
        (
            {"inputs": (CheckedFile(path=Path("/data/none"), sha256="ab" * 32),)},
            "needs the input file /data/none, which cannot be read: No such file or directory",
        ),
        (
            {"inputs": (CheckedFile(path=Path("/data/other"), sha256="ab" * 32),)},
            "needs the input file /data/other, which cannot be read",
        ),
        (
            {"inputs": (CheckedFile(path=MESH, sha256="ab" * 32, bytes=7),)},
            f"needs the input file {MESH} of 7 bytes, it has {GIB}",
        ),
        (
            {"inputs": (CheckedFile(path=MESH, sha256="cd" * 32),)},
            f"needs the input file {MESH} with SHA-256 cdcdcdcdcdcd..., it has abababababab...",
        ),
    ],
)
def test_what_is_too_little_is_refused_by_how_much(needs: dict[str, Any], reason: str) -> None:
    assert lacks(**needs) == [reason]


def test_what_is_just_enough_lacks_nothing() -> None:
    needs: dict[str, Any] = {
        "ranks": 8,
        "nodes": 2,
        "memory_bytes": 17 * GIB,
        "devices": {"gpu": 4},
        "files": {"scratch": Space(bytes=8 * GIB, inodes=1000), "local": Space(bytes=2 * GIB)},
        "inputs": (CheckedFile(path=MESH, sha256="ab" * 32),),
        "exclusive": (NODE, LINK),
    }
    assert lacks(**needs) == []


def test_devices_that_cannot_be_asked_for_or_given_to_ranks_are_not_had() -> None:
    asking = replace(OFFER, device_words={"gpu": "gpu"})
    assert lacks(asking, devices={"gpu": 2}) == []
    (unasked,) = lacks(replace(OFFER, device_words={}), devices={"gpu": 2})
    need, where = "needs a gpu, and no", "of `devices` in the site file"
    assert unasked == f"{need} job request for it is known: `request` {where}"
    (unselected,) = lacks(replace(asking, device_variables={}), devices={"gpu": 2})
    assert unselected == f"{need} variable that selects it is known: `variable` {where}"


def test_all_unmet_needs_are_listed() -> None:
    assert len(lacks(ranks=6, nodes=3, memory_bytes=90 * GIB, devices={"gpu": 9})) == 3


def test_copies_at_the_same_time_share_what_all_nodes_share() -> None:
    files = {"scratch": Space(bytes=3 * GIB), "local": Space(bytes=GIB)}
    assert lacks(files=files, at_once=2) == []
    assert lacks(files=files, at_once=4) == [
        "needs 12 GiB of room in the file system scratch (/scratch), 8 GiB are free: 4 GiB too much"
    ]


@pytest.mark.parametrize(
    ("shared", "at_once", "missing"),
    [
        (None, 1, []),
        (False, 2, []),
        (True, 1, ["2 GiB", "40 files"]),
        (True, 2, ["4 GiB", "80 files"]),
    ],
)
def test_what_all_nodes_share_holds_what_all_of_them_write(
    shared: bool | None, at_once: int, missing: list[str]
) -> None:
    """Of two nodes each writes half: to a disk of its own, or to the one that both have."""
    local = LOCAL.model_copy(update={"shared": shared, "free_inodes": 20})
    offer = replace(OFFER, filesystems=(local,))
    found = lacks(offer, nodes=2, files={"local": Space(bytes=2 * GIB, inodes=40)}, at_once=at_once)
    assert [each.split(" of room")[0].split(" in the")[0] for each in found] == [
        f"needs {each}" for each in missing
    ]


def test_roles_of_one_file_system_share_what_is_free_in_it() -> None:
    project = SCRATCH.model_copy(update={"role": "project", "path": "/scratch/project"})
    offer = replace(OFFER, filesystems=(SCRATCH, project))
    files = {"scratch": Space(bytes=5 * GIB), "project": Space(bytes=5 * GIB)}
    where = "in the file system scratch and project (/scratch)"
    assert lacks(offer, files=files) == [
        f"needs 10 GiB of room {where}, 8 GiB are free: 2 GiB too much"
    ]


def test_copies_of_input_files_have_room_for_all_launches() -> None:
    work = SCRATCH.model_copy(update={"role": "work", "path": "/scratch/runs"})
    offer = replace(OFFER, filesystems=(SCRATCH, work))
    mesh = CheckedFile(path=MESH, sha256="ab" * 32, copied=True)
    assert lacks(offer, launches=8, inputs=(mesh,)) == []
    (room,) = lacks(offer, launches=9, inputs=(mesh,))
    where = "in the file system work (/scratch)"
    assert room == f"needs 9 GiB of room {where}, 8 GiB are free: 1 GiB too much"
    files = {"scratch": Space(bytes=7 * GIB, inodes=999)}
    room, inodes = lacks(offer, launches=2, inputs=(mesh,), files=files)
    where = "in the file system scratch and work (/scratch)"
    assert room == f"needs 9 GiB of room {where}, 8 GiB are free: 1 GiB too much"
    assert inodes == f"needs 1001 files {where}, 1000 are free: 1 too many"
    linked = mesh.model_copy(update={"copied": False})
    assert lacks(offer, launches=90, inputs=(linked,)) == []
    absent = CheckedFile(path=Path("/data/none"), sha256="0f" * 32, copied=True, bytes=90 * GIB)
    missing, room = lacks(offer, inputs=(absent,))
    assert (
        missing
        == "needs the input file /data/none, which cannot be read: No such file or directory"
    )
    assert room.startswith("needs 90 GiB of room in the file system work (/scratch)")


def test_a_file_system_that_does_not_tell_refuses_nothing() -> None:
    silent = SCRATCH.model_copy(update={"free_bytes": None, "free_inodes": None})
    offer = replace(OFFER, filesystems=(silent,))
    assert lacks(offer, files={"scratch": Space(bytes=1 << 60, inodes=1 << 40)}) == []


def test_what_others_use_cannot_be_had_alone() -> None:
    shared = replace(OFFER, own_nodes=False, shared_links=frozenset({"eth"}))
    assert lacks(shared, exclusive=(NODE, LINK)) == [
        "needs its nodes to itself, and jobs share them: `exclusive` of `batch`",
        "needs the network to itself, and others use eth: `shared` of `networks`",
    ]
    case = Case(name="c", options={}, nodes=2, ranks=2, needs=Need(exclusive=(LINK,)))
    assert list(shared.lacks(case, network="ib")) == []
    assert len(list(shared.lacks(case, network="eth"))) == 1
    assert lacks(shared) == []


def test_threads_that_share_cores_need_one_of_each_node() -> None:
    assert lacks(ranks=64, nodes=2, shared_cores=True) == []
    assert len(lacks(ranks=64, nodes=2)) == 1
