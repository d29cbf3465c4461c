"""Network, file systems, batch and modules systems from captured texts."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from heorot.machine.filesystems import describe_filesystems, find_mount, parse_mountinfo
from heorot.machine.network import parse_rate, read_hcas, read_interfaces
from heorot.machine.software.batch import Name, find_batch_systems, parse_batch_version
from heorot.machine.software.modules import find_modules, parse_modules_version
from heorot.model.machine.machine import FileSystem, Hca, HcaPort, NetworkInterface
from heorot.model.resource import LINK, MEMORY, filesystem
from tests.unit.analyse.builders import a_machine


def test_interfaces_of_the_guest(samples: Path) -> None:
    assert read_interfaces(samples / "epyc_zen5_kvm") == (
        NetworkInterface(
            name="eth0", state="up", kind="ethernet", mtu_bytes=1400, driver="virtio_net"
        ),
        NetworkInterface(
            name="lo", state="unknown", kind="loopback", virtual=True, mtu_bytes=65536
        ),
    )


def test_an_ethernet_with_a_line_rate(samples: Path) -> None:
    (ethernet,) = read_interfaces(samples / "omnipath_connectx")
    assert (ethernet.speed_bits, ethernet.mtu_bytes, ethernet.state) == (1e9, 1500, "up")


def test_adapters(samples: Path) -> None:
    omnipath, connectx = read_hcas(samples / "omnipath_connectx")
    assert omnipath == Hca(
        name="hfi1_0",
        model="HPE 100Gb 1-port OP101 QSFP28 x16 PCIe Gen3 with Intel Omni-Path Adapter",
        firmware="1.27.0",
        ports=(HcaPort(number=1, state="ACTIVE", rate_bits=100e9, link="4X EDR"),),
    )
    assert connectx.model == "MT4099, SM_1141000001000"
    assert [port.rate_bits for port in connectx.ports] == [40e9, 40e9]
    assert [port.link for port in connectx.ports] == ["4X QDR", "4X QDR"]


def test_no_adapters(tmp_path: Path) -> None:
    assert read_hcas(tmp_path) == ()
    assert read_interfaces(tmp_path) == ()
    assert parse_rate("unknown") == (None, None)


def test_mounts_of_the_guest(samples: Path) -> None:
    mounts = parse_mountinfo((samples / "epyc_zen5_kvm/proc/self/mountinfo").read_text())
    root = find_mount(Path("/home/someone/runs"), mounts)
    assert root is not None
    assert (root.point, root.kind) == ("/", "ext4")
    assert "discard" in root.options
    shared = find_mount(Path("/sys/kernel"), mounts)
    assert shared is not None
    assert (shared.point, shared.kind) == ("/sys", "sysfs")
    neighbour = find_mount(Path("/system"), mounts)
    assert neighbour is not None
    assert neighbour.point == "/"


def test_a_mount_point_with_a_space() -> None:
    # proc(5): space, tab, newline and backslash are written as octal escapes.
    (mount,) = parse_mountinfo(r"36 35 98:0 /mnt1 /a\040b rw,noatime master:1 - ext3 /dev/root rw")
    assert mount.point == "/a b"


def test_space_of_a_directory_that_does_not_exist_yet(tmp_path: Path) -> None:
    (place,) = describe_filesystems({"work": tmp_path / "runs/first"})
    assert place.role == "work"
    assert place.size_bytes is not None
    assert place.free_bytes is not None
    assert 0 <= place.free_bytes <= place.size_bytes
    assert place.free_inodes is None or place.free_inodes >= 0
    assert place.kind


@pytest.mark.parametrize(
    ("n_files", "n_free", "inodes"), [(1000, 10, 10), (1000, 0, 0), (0, 0, None)]
)
def test_a_file_system_without_a_table_of_inodes_tells_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_files: int, n_free: int, inodes: int | None
) -> None:
    space = SimpleNamespace(f_blocks=8, f_frsize=512, f_bavail=2, f_files=n_files, f_favail=n_free)
    monkeypatch.setattr("heorot.machine.filesystems.os.statvfs", lambda _: space)
    (place,) = describe_filesystems({"work": tmp_path})
    assert (place.free_bytes, place.free_inodes) == (1024, inodes)


@pytest.mark.parametrize(
    ("kind", "shared", "between"),
    [
        ("lustre", None, True),
        ("nfs4", None, True),
        (None, None, True),
        ("ext4", None, False),
        # The site's statement takes precedence: a node may export its disk, or see a part only.
        ("ext4", True, True),
        ("lustre", False, False),
    ],
)
def test_file_systems_are_between_nodes_unless_each_is_known_to_have_its_own(
    kind: str | None, shared: bool | None, between: bool
) -> None:
    place = FileSystem(role="scratch", path="/s", kind=kind, shared=shared)
    machine = a_machine().model_copy(update={"filesystems": (place,)})
    assert machine.is_between_nodes(filesystem("scratch")) is between
    assert machine.is_between_nodes(filesystem("unknown"))
    assert machine.is_between_nodes(LINK)
    assert not machine.is_between_nodes(MEMORY)


@pytest.mark.parametrize(
    ("name", "text", "version"),
    [
        ("slurm", "sinfo", "22.05.8"),
        ("sge", "sge-qconf", "8.1.9"),
        ("flux", "flux-quoted", "0.48.0"),
        ("pbs", "pbs-quoted", "18.2.3.20181206140456"),
        ("pbs", "pbspro-quoted", "9.2.0.81361"),
        ("lsf", "lsf-quoted", "10.1.0.14"),
    ],
)
def test_batch_versions(banner: Callable[[str], str], name: Name, text: str, version: str) -> None:
    assert parse_batch_version(name, banner(text)) == version
    assert parse_batch_version(name, "command not found") is None


def test_batch_systems_in_a_path(tmp_path: Path, banner: Callable[[str], str]) -> None:
    command = tmp_path / "sinfo"
    command.write_text(f"#!/bin/sh\necho '{banner('sinfo').strip()}'\n")
    command.chmod(0o755)
    (found,) = find_batch_systems(str(tmp_path))
    assert (found.name, found.version, found.command) == ("slurm", "22.05.8", command)
    assert find_batch_systems(str(tmp_path / "nowhere")) == ()


@pytest.mark.parametrize(("text", "version"), [("modules-tcl", "5.2.0"), ("lmod-quoted", "8.7.53")])
def test_modules_versions(banner: Callable[[str], str], text: str, version: str) -> None:
    assert parse_modules_version(banner(text)) == version
    assert parse_modules_version("bash: module: command not found") is None


def test_modules_by_their_variables(tmp_path: Path, banner: Callable[[str], str]) -> None:
    lmod = find_modules({"LMOD_CMD": "/nowhere", "LMOD_VERSION": "8.7.53", "MODULEPATH": "/a:/b"})
    assert lmod is not None
    assert (lmod.name, lmod.version, lmod.search_paths) == ("lmod", "8.7.53", ("/a", "/b"))
    command = tmp_path / "modulecmd.tcl"
    command.write_text(f"#!/bin/sh\necho '{banner('modules-tcl').strip()}' >&2\n")
    command.chmod(0o755)
    tcl = find_modules({"MODULES_CMD": str(command)})
    assert tcl is not None
    assert (tcl.name, tcl.version) == ("tcl", "5.2.0")
    assert find_modules({}) is None
    broken = find_modules({"LMOD_CMD": "/nowhere"})
    assert broken is not None
    assert broken.version is None
