"""The whole description: of this machine, as a table, as YAML and back."""

import shutil
from pathlib import Path

import pytest

from heorot.errors import SiteError
from heorot.machine.describe import describe, read_node
from heorot.machine.description.table import summary_rows
from heorot.machine.description.yaml import from_yaml, parse_site, to_yaml
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import SiteFileSystem

FILE = Path("site.yaml")


@pytest.fixture
def machine(samples: Path) -> Machine:
    """Two kinds of nodes from captured roots."""
    guest = read_node(samples / "epyc_zen5_kvm", "x86_64", "n001")
    fabric = read_node(samples / "omnipath_connectx", "x86_64", "n002")
    return Machine(hostname="login", nodes=(guest, fabric))


def test_describes_this_machine(tmp_path: Path) -> None:
    found = describe(tmp_path)
    (node,) = found.nodes
    assert node.names == (found.hostname,)
    assert node.processor.n_threads
    assert node.memory.total_bytes
    assert node.limits.n_usable_cores >= 1
    assert [place.role for place in found.filesystems][:2] == ["work", "tmp"]
    assert from_yaml(to_yaml(found), FILE) == found
    assert Machine.model_validate_json(found.model_dump_json()) == found


def test_an_empty_root_gives_a_node_of_unknowns(tmp_path: Path) -> None:
    node = read_node(tmp_path, "x86_64", "n")
    assert node.caches == ()
    assert node.limits.n_usable_cores == 1
    rows = dict(summary_rows(Machine(hostname="n", nodes=(node,))))
    assert rows["Memory per node"] == "–"
    assert rows["Clock"] == "–"
    unknown = {name for name, text in rows.items() if text == "unknown"}
    assert unknown == {
        *("Governor", "Boost", "SMT", "Memory modules", "NUMA balancing"),
        *("Transparent huge pages", "Kernel command line", "Mitigations"),
    }


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"\xff\x00garbage: [", b"-1\n", b"9" * 400, b"0-99999999999\n"]
)
@pytest.mark.parametrize("isa", ["x86_64", "aarch64", "ppc64le", "riscv64"])
def test_garbage_in_every_file_is_not_an_error(
    samples: Path, tmp_path: Path, isa: str, content: bytes
) -> None:
    for folder in ("epyc_zen5_kvm", "omnipath_connectx", "cgroup_v1_limited", "core_i7_8650u"):
        shutil.copytree(samples / folder, tmp_path, dirs_exist_ok=True)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            path.write_bytes(content)
    node = read_node(tmp_path, isa, "n")
    assert node.limits.n_usable_cores >= 1
    assert summary_rows(Machine(hostname="n", nodes=(node,)))


def test_table_in_human_units(machine: Machine) -> None:
    one = machine.model_copy(update={"nodes": machine.nodes[:1]})
    rows = dict(summary_rows(one))
    assert rows["Name"] == "login"
    assert rows["Processor"] == "AMD EPYC"
    assert rows["Microarchitecture"] == "x86_64_v4"
    assert rows["Processors per node"] == "1 socket, 2 cores, 2 hardware threads"
    assert rows["Clock"] == "2.60 GHz base"
    assert rows["Cache L1 data"] == "2 × 48 KiB, line 64 B, 12 ways"
    assert rows["Cache L3 unified"] == (
        "1 × 32 MiB, shared by 2 hardware threads, line 64 B, 16 ways"
    )
    assert rows["Network"] == "eth0 (virtio_net) up"
    assert rows["Limits"] == "2 cores usable, CPUs 0-1 allowed"
    assert rows["Batch systems"] == "–"


def test_table_of_two_kinds_of_nodes_names_them(machine: Machine) -> None:
    rows = dict(summary_rows(machine))
    assert rows["n001: Memory per node"].startswith("23.5 GiB")
    assert "hfi1_0:1 100 Gbit/s (4X EDR) active" in rows["n002: Network"]


def test_yaml_round_trip(machine: Machine) -> None:
    assert from_yaml(to_yaml(machine), FILE) == machine


def line_of(text: str, words: str) -> int:
    """The number of the first line that holds these words."""
    return next(i for i, line in enumerate(text.splitlines(), 1) if words in line)


def test_an_unknown_key_is_an_error_with_its_line(machine: Machine) -> None:
    text = to_yaml(machine).replace("swap_bytes:", "swop_bytes:", 1)
    with pytest.raises(SiteError, match=r"unknown key `nodes\.0\.memory\.swop_bytes`") as caught:
        from_yaml(text, FILE)
    assert str(caught.value).startswith(f"site.yaml:{line_of(text, 'swop_bytes')}: ")
    assert caught.value.hint


def test_a_wrong_value_is_an_error_with_its_line(machine: Machine) -> None:
    text = to_yaml(machine).replace("n_sockets: 1", "n_sockets: many", 1)
    with pytest.raises(SiteError, match=r"nodes\.0\.processor\.n_sockets") as caught:
        from_yaml(text, FILE)
    assert str(caught.value).startswith(f"site.yaml:{line_of(text, 'n_sockets: many')}: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hostname: [a\n", "site.yaml:2: not YAML"),
        ("hostname: a\nhostname: b\n", "site.yaml:2: not YAML: found duplicate key"),
        ("hostname: a\n", "site.yaml:1: `nodes` is missing"),
        ("", "site.yaml:1: not a machine"),
        ("- a\n", "site.yaml:1: not a machine"),
        ("hostname: a\nnodes: []\n", "site.yaml:2: `nodes`"),
    ],
)
def test_malformed_files(text: str, message: str) -> None:
    with pytest.raises(SiteError) as caught:
        from_yaml(text, FILE)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_yaml_1_2_keeps_words_that_look_like_switches(machine: Machine) -> None:
    text = to_yaml(machine).replace("hostname: login", "hostname: on", 1)
    assert from_yaml(text, FILE).hostname == "on"


def test_a_site_says_which_file_systems_all_nodes_share() -> None:
    text = "filesystems:\n  scratch: /lustre/me\n  data:\n    path: /data\n    shared: true\n"
    assert parse_site(text, FILE).filesystems == {
        "scratch": SiteFileSystem(path=Path("/lustre/me")),
        "data": SiteFileSystem(path=Path("/data"), shared=True),
    }
    for said, instead, line in (
        ("true", "perhaps", 5),
        ("shared", "common", 5),
        ("/lustre/me", "[]", 2),
    ):
        with pytest.raises(SiteError, match=f"site.yaml:{line}: "):
            parse_site(text.replace(said, instead), FILE)
