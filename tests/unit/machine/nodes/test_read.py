"""Copies read back, also damaged ones, and nodes grouped by type."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heorot.machine.nodes.copied_tree import plant, split_copy
from heorot.machine.nodes.read import merge, offset, read_copies, read_copy
from heorot.model.machine.machine import Node
from heorot.model.machine.nodes import NodeCopy
from tests.unit.damage import damaged_bytes, damaged_lines

Taker = Callable[..., NodeCopy]


def named(copy: NodeCopy, name: str, **changed: object) -> NodeCopy:
    """The same node under another name, with parts of it changed."""
    node = copy.node.model_copy(update={"names": (name,), **changed})
    return copy.model_copy(update={"name": name, "node": node})


def test_a_tree_of_text_answers_as_folders_do() -> None:
    root = plant(split_copy("\n==> proc/sys/a <==\none\n\n==> proc/b <==\n\n==> c <==\ntwo\nthree"))
    assert (root / "proc/sys/a").read_text() == "one"
    assert (root / "proc/b").read_text() == ""
    assert (root / "c").read_text() == "two\nthree"
    assert [path.name for path in root.iterdir()] == ["proc", "c"]
    assert [path.name for path in (root / "proc").iterdir()] == ["sys", "b"]
    assert (root / "proc/sys").exists()
    assert not (root / "proc/sys/a/b").exists()
    with pytest.raises(FileNotFoundError):
        (root / "proc/sys").read_text()
    # Files missing in the text are not read from this machine.
    assert not (root / "../../../proc/cpuinfo").exists()
    assert list((root / "/etc").iterdir()) == []


@pytest.mark.parametrize(
    ("window", "expected"),
    [(None, None), ((90.0, 110.0), 0.0), ((101.5, 110.0), -1.5), ((80.0, 97.5), 2.5)],
)
def test_how_far_a_clock_is_off(window: tuple[float, float] | None, expected: float | None) -> None:
    assert offset(100.0, window) == expected


def test_words_of_the_command_line_that_matter(tmp_path: Path) -> None:
    words = (
        "BOOT_IMAGE=/vmlinuz root=/dev/sda1 mitigations=off isolcpus=1-3 quiet nosmt ip=10.0.0.1"
    )
    text = f"==> heorot/name <==\nn\n==> heorot/isa <==\nx86_64\n==> proc/cmdline <==\n{words}\n"
    (tmp_path / "n").write_text(text)
    (copy,) = read_copies(tmp_path)
    assert copy.node.platform.boot_options == ("mitigations=off", "isolcpus=1-3", "nosmt")
    assert copy.state.clock_seconds is None
    assert copy.node.platform.mitigations is None


def test_nodes_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("n10", "n2", "login", "n1-ib"):
        (tmp_path / name).write_text(f"==> heorot/name <==\n{name}\n==> heorot/isa <==\nx86_64\n")
    assert [copy.name for copy in read_copies(tmp_path)] == ["login", "n1-ib", "n2", "n10"]
    assert read_copies(tmp_path / "nowhere") == ()


def test_what_is_no_copy_is_left_out(tmp_path: Path, captured: Taker) -> None:
    captured("epyc_zen5_kvm", "n1")
    folder = tmp_path / "taken"
    whole = (folder / "n1.gz").read_bytes()
    (folder / "n2.gz").write_bytes(whole[: len(whole) // 2])
    (folder / "n3.gz").write_bytes(b"")
    (folder / "n4").write_text("nothing of the kind")
    (folder / ".n5.123.part").write_bytes(whole)
    (folder / "n6").mkdir()
    assert [copy.name for copy in read_copies(folder)] == ["n1"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.data())
def test_a_damaged_copy_is_a_node_or_none(
    tmp_path: Path, captured: Taker, data: st.DataObject
) -> None:
    packed = tmp_path / "taken" / "n1.gz"
    if not packed.exists():
        captured("epyc_zen5_kvm", "n1")
    text = gzip.decompress(packed.read_bytes())
    damaged = data.draw(damaged_lines(text) | damaged_bytes(text))
    file = tmp_path / "damaged"
    file.write_bytes(damaged)
    copy = read_copy(file, (0.0, 1.0))
    assert copy is None or isinstance(copy.node, Node)


def test_equal_nodes_are_of_one_kind(captured: Taker) -> None:
    first = captured("core_i7_8650u", "n1")
    memory = first.node.memory
    other = named(
        first,
        "n2",
        memory=memory.model_copy(update={"available_bytes": 1, "total_bytes": None}),
    )
    assert len(merge([first, other])) == 2
    (kind,) = merge([first, named(first, "n2"), named(first, "n3")])
    assert kind == first.node.model_copy(update={"names": ("n1", "n2", "n3"), "n_nodes": 3})


@pytest.mark.parametrize(("share", "n_kinds"), [(0.995, 1), (0.98, 2)])
def test_memory_may_differ_by_a_hundredth(captured: Taker, share: float, n_kinds: int) -> None:
    first = captured("epyc_zen5_kvm", "n1")
    memory = first.node.memory
    assert memory.total_bytes is not None
    less = {"total_bytes": int(memory.total_bytes * share), "available_bytes": 5}
    second = named(first, "n2", memory=memory.model_copy(update=less))
    assert len(merge([first, second])) == n_kinds


def test_the_most_frequent_kind_is_the_first(captured: Taker) -> None:
    lone = captured("epyc_zen5_kvm", "n1")
    many = captured("core_i7_8650u", "n2")
    kinds = merge([lone, many, named(many, "n3")])
    assert [kind.names for kind in kinds] == [("n2", "n3"), ("n1",)]
    assert [kind.n_nodes for kind in kinds] == [2, 1]
    assert merge([]) == ()


def test_what_makes_another_kind(captured: Taker) -> None:
    first = captured("omnipath_connectx", "n1")
    node = first.node
    # The capture lacks the device of the interface.
    real = tuple(one.model_copy(update={"virtual": False}) for one in node.interfaces)
    first = named(first, "n1", interfaces=real)
    renamed = tuple(one.model_copy(update={"name": "other0"}) for one in real)
    slower = tuple(one.model_copy(update={"speed_bits": 1e8}) for one in real)
    old = tuple(one.model_copy(update={"firmware": "0"}) for one in node.hcas)
    assert len(merge([first, named(first, "n2", interfaces=renamed)])) == 1
    assert len(merge([first, named(first, "n2", interfaces=slower)])) == 2
    assert len(merge([first, named(first, "n2", hcas=node.hcas[:1])])) == 2
    assert len(merge([first, named(first, "n2", hcas=old)])) == 2
    kernel = node.platform.model_copy(update={"kernel": "9.9"})
    assert len(merge([first, named(first, "n2", platform=kernel)])) == 2
