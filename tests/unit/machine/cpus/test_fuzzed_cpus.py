"""Damaged trees of /proc and /sys: each CPU is in one core, and contradicted facts are unknown."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.errors import SetupError
from heorot.machine.cpus.topology import Cpus, read_cpus
from tests.unit.machine.cpus.trees import TREES, Tree, files_of, groups, plant_tree

# Small ones: a tree is read for every input.
SMALL = {
    "two packages of a core": Tree(
        groups(2, size=2),
        2,
        sockets={0: "0-1", 1: "2-3"},
        domains={0: "0-1", 1: "2-3"},
        online="0-3",
        mask="0-2",
    ),
    "unlike cores": TREES["big and little cores of one design, known by the register"],
}
_LISTS = st.lists(st.sampled_from(("0", "1", "0-1", "0-3", "4-7", "2,5", "9999", "99999")))
_TEXTS = st.one_of(
    _LISTS.map(",".join),
    st.sampled_from(
        ("", "-1", "f", "00000000,0000000f", "9" * 400, "nan", "0-" + "9" * 30, "x", "²", "\0")
    ),
    st.text(max_size=6),
)


_DAMAGE = st.sampled_from(sorted(SMALL)).flatmap(
    lambda name: st.tuples(
        st.just(name),
        st.dictionaries(st.sampled_from(sorted(files_of(SMALL[name]))), _TEXTS, max_size=3),
    )
)


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Where the trees are."""
    home = tmp_path_factory.mktemp("trees")
    return {name: plant_tree(home / name, tree) for name, tree in SMALL.items()}


@pytest.mark.slow
@given(_DAMAGE)
def test_a_tree_is_read_whatever_its_files_say(
    roots: dict[str, Path], damage: tuple[str, dict[str, str]]
) -> None:
    name, texts = damage
    root = roots[name]
    originals = {root / file: (root / file).read_bytes() for file in texts}
    try:
        for file, text in texts.items():
            (root / file).write_bytes(text.encode(errors="replace"))
        cpus = read_cpus(root)
    except SetupError as error:
        assert "none is online" in str(error)  # noqa: PT017 (most damage is no error)
        return
    finally:
        for path, content in originals.items():
            path.write_bytes(content)
    assert_whole(cpus)


def assert_whole(cpus: Cpus) -> None:
    """Each online CPU is in one core, and contradicted facts are unknown."""
    assert sorted(cpu for core in cpus.cores for cpu in core.cpus) == sorted(cpus.online)
    assert cpus.allowed <= cpus.online
    assert cpus.n_usable_cores >= 1
    clauses = " ".join(cpus.contradictions)
    if "cores, which are unknown" in clauses:
        assert not cpus.cores_known
        assert all(len(core.cpus) == 1 for core in cpus.cores)
    if "package, which is unknown" in clauses or "numbers: it is unknown" in clauses:
        assert cpus.n_sockets is None
