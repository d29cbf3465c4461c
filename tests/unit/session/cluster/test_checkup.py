"""Claims of a site file are compared with the actual site, one by one."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from heorot.errors import SiteError
from heorot.launch.batch.slurm import Slurm
from heorot.machine.description.yaml import read_site
from heorot.session.cluster.checkup import check_site

HOST = f"host {socket.gethostname()}"


def claims(file: Path, *, probe: bool = False) -> dict[str, tuple[str, str]]:
    reported = check_site(file, read_site(file), probe=probe).claims
    return {each.part: (each.found, each.remedy) for each in reported}


def test_a_host_that_answers_and_sees_the_directory(site_file: Path) -> None:
    found, _ = claims(site_file)[HOST]
    assert found.startswith("answers in ")


def test_a_probe_reports_where_it_ran(site_file: Path) -> None:
    found, remedy = claims(site_file, probe=True)["probe job"]
    assert found.startswith(f"ran on {socket.gethostname()}, "), remedy
    assert list(site_file.parent.glob("heorot-probe-*")) == []


def test_what_a_host_lacks(site_file: Path) -> None:
    site_file.write_text(site_file.read_text().replace("interface: lo", "interface: ib7"))
    found, remedy = claims(site_file)[HOST]
    assert (found, remedy) == ("", "it has no ib7")


def test_a_host_that_does_not_answer(site_file: Path) -> None:
    site_file.write_text(site_file.read_text().replace(f"name: {socket.gethostname()}", "name: x1"))
    found, remedy = claims(site_file)["host x1"]
    assert found == ""
    assert "does not answer: no route" in remedy


def test_parts_of_a_toolchain_that_are_missing(tmp_path: Path) -> None:
    file = tmp_path / "site.yaml"
    file.write_text(
        "toolchains:\n  - name: t\n    compilers: [{language: c++, command: bash}]\n    mpi:\n"
        '      flavour: mpich\n      version: "5"\n      cxx: /none/mpicxx\n      mpiexec: bash\n'
    )
    found = claims(file)
    assert found["C++ compiler of t"][0].endswith("bash")
    assert found["MPI wrapper of t"] == ("", "there is no /none/mpicxx")
    assert found["launcher of t"][0].endswith("bash")


def test_a_batch_system_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "site.yaml"
    file.write_text(f"batch:\n  system: slurm\n  commands: {tmp_path}\n")
    found, remedy = claims(file)["batch system"]
    assert found == ""
    assert "sbatch" in remedy


def test_words_that_no_job_script_can_have_are_no_claim(tmp_path: Path) -> None:
    file = tmp_path / "site.yaml"
    for name in Slurm.needs:
        (tmp_path / name).touch(mode=0o755)
    file.write_text(f"batch:\n  system: slurm\n  commands: {tmp_path}\n  queue: a b\n")
    with pytest.raises(SiteError, match=r"site\.yaml: .*cannot be written into a job script"):
        check_site(file, read_site(file))


def test_a_word_for_devices_must_be_one_of_a_job_script(tmp_path: Path) -> None:
    file = tmp_path / "site.yaml"
    for name in Slurm.needs:
        (tmp_path / name).touch(mode=0o755)
    batch = f"batch:\n  system: slurm\n  commands: {tmp_path}\n"
    file.write_text(f"{batch}devices:\n  gpu: {{request: 'a b'}}\n")
    with pytest.raises(SiteError, match=r"site\.yaml: a device 'a b' cannot be written"):
        check_site(file, read_site(file))


@pytest.mark.waiting
def test_unknown_states_of_nodes_are_named(tmp_path: Path) -> None:
    for command in ("sbatch", "squeue", "scancel", "scontrol"):
        (tmp_path / command).write_text("#!/bin/sh\n")
        (tmp_path / command).chmod(0o755)
    rows = "n1|idle|4|(null)|main\nn2|inval|4|(null)|main\nn3|dreaming|4|(null)|main\nodd row"
    (tmp_path / "sinfo").write_text(f"#!/bin/sh\ncat <<'END'\n{rows}\nEND\n")
    (tmp_path / "sinfo").chmod(0o755)
    file = tmp_path / "site.yaml"
    file.write_text(f"batch:\n  system: slurm\n  commands: {tmp_path}\n")
    assert claims(file)["nodes"][0] == "1 down, 1 idle; not understood: n3 dreaming, odd row"
