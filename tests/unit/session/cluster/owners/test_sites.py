"""A run is resumed with its site file as it was at its start, if that is the user's own."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.build.programs import cache_directory
from heorot.errors import SiteError, UsageError
from heorot.machine.description import yaml
from heorot.model.machine.site import Site
from heorot.model.run.request import Request
from heorot.session import conductor
from heorot.session.cluster import sites
from heorot.session.cluster.sites import (
    keep_site,
    read_site_file,
    remark_on_site,
    require_own_site_in,
    site_of,
)
from heorot.session.progress import Progress
from heorot.store.directory import RunDirectory

_TEXT = "system: lyra\nagent: {agent}\nhosts: [{{name: n1}}]\n"


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user without earlier runs."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def file(tmp_path: Path, agent: Path) -> Path:
    """A site file that names a program."""
    file = tmp_path / "lyra.yaml"
    file.write_text(_TEXT.format(agent=agent))
    return file


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    """A run that begins."""
    return RunDirectory.create(tmp_path / "run")


def _moved(file: Path) -> None:
    file.rename(file.with_name("moved.yaml"))


def _edited(file: Path) -> None:
    file.write_text(file.read_text().replace("n1", "n2"))


changes = pytest.mark.parametrize(
    ("change", "what"),
    [
        (_moved, "no longer exists: resuming with its copy"),
        (_edited, "has changed since the run began: resuming with its copy"),
    ],
)


@changes
def test_a_run_is_resumed_with_its_site_file_as_it_was(
    run: RunDirectory, file: Path, change: Callable[[Path], None], what: str
) -> None:
    keep_site(run, read_site_file(file))
    require_own_site_in(run, file)
    assert remark_on_site(run, file) is None
    change(file)
    require_own_site_in(run, file)
    assert [host.name for host in site_of(run, file).hosts] == ["n1"]
    remark = remark_on_site(run, file)
    assert remark is not None
    assert remark.startswith(f"{file} {what} in {run.site_file}")


def test_a_run_can_be_resumed_with_the_new_site_file(
    run: RunDirectory, file: Path, tmp_path: Path
) -> None:
    keep_site(run, read_site_file(file))
    _edited(file)
    remark = remark_on_site(run, file)
    assert remark is not None
    words = shlex.split(remark.partition("new version: ")[2])
    assert words == ["cp", str(file), str(tmp_path / "run/site.yaml")]
    shutil.copyfile(*words[1:])
    assert remark_on_site(run, file) is None
    require_own_site_in(run, file)
    assert [host.name for host in site_of(run, file).hosts] == ["n2"]


@changes
def test_what_a_run_brought_along_is_not_asked(
    run: RunDirectory, file: Path, change: Callable[[Path], None], what: str
) -> None:
    del what
    run.site_file.write_text(file.read_text())
    require_own_site_in(run, file)  # the user's own site file names the same programs
    change(file)
    with pytest.raises(SiteError, match=r"run/site\.yaml: its commands are not run: ") as refused:
        require_own_site_in(run, file)
    assert "--trust" in refused.value.hint
    require_own_site_in(run, file, trust=True)
    assert site_of(run, file).system == "lyra"  # its facts may be read


_FORMER = "toolchains:\n  - {name: gnu, cxx: g++, compiler: GNU 12, flags: -O2, mpi: null}\n"


@pytest.mark.parametrize("is_kept", [True, False])
def test_the_site_file_of_a_run_of_an_earlier_version_is_read_in_its_form(
    run: RunDirectory, file: Path, is_kept: bool
) -> None:
    text = file.read_text() + _FORMER
    file.write_text(text)
    with pytest.raises(SiteError, match=r"`toolchains\.0\.compilers` is missing"):
        read_site_file(file)
    if is_kept:
        run.site_file.write_text(text)
    require_own_site_in(run, file)
    (chain,) = site_of(run, file).toolchains
    assert (chain.cxx.command, chain.cxx.flags) == (Path("g++"), "-O2")


def test_another_text_than_the_one_that_was_used_is_not_asked(
    run: RunDirectory, file: Path, tmp_path: Path
) -> None:
    keep_site(run, read_site_file(file))
    other = RunDirectory.create(tmp_path / "other")
    other.site_file.write_text(file.read_text() + f"work: {tmp_path}\n")
    with pytest.raises(SiteError, match="only the run itself indicates that you used it"):
        require_own_site_in(other, file)


def test_what_was_used_only_for_once_is_not_known(run: RunDirectory, file: Path) -> None:
    file.chmod(0o666)  # as with --trust
    keep_site(run, read_site_file(file))
    with pytest.raises(SiteError, match=rf"^{file}: its commands are not run: all users may"):
        require_own_site_in(run, file)


@pytest.mark.parametrize("which", [".", "sites"])
def test_digests_that_others_can_have_written_say_nothing(
    run: RunDirectory, file: Path, which: str
) -> None:
    keep_site(run, read_site_file(file))
    (cache_directory() / which).chmod(0o777)
    _moved(file)
    with pytest.raises(SiteError, match="only the run itself indicates"):
        require_own_site_in(run, file)


def test_programs_that_others_have_put_in_their_place_are_not_run(
    run: RunDirectory, file: Path, agent: Path
) -> None:
    keep_site(run, read_site_file(file))
    _moved(file)
    agent.chmod(0o777)
    with pytest.raises(SiteError, match=f"its commands are not run: all users may write {agent}"):
        require_own_site_in(run, file)
    agent.unlink()  # a missing file belongs to no user
    require_own_site_in(run, file)


@pytest.mark.parametrize("key", sorted(["cxx", "fortran", "wrapper", "mpiexec", "counters", "bin"]))
def test_every_program_that_a_site_file_names_is_looked_at(
    run: RunDirectory, tmp_path: Path, key: str
) -> None:
    places = {
        name: tmp_path / name for name in ("cxx", "fortran", "wrapper", "mpiexec", "counters")
    }
    places["bin"] = tmp_path / "bin"
    for place in places.values():
        place.touch()
    file = tmp_path / "site.yaml"
    file.write_text(
        f"toolchains:\n  - {{name: a, compilers: [{{language: c++, command: {places['cxx']}}}, "
        f"{{language: fortran, command: {places['fortran']}}}], "
        "mpi: {flavour: mpich, version: '5', "
        f"cxx: {places['wrapper']}, mpiexec: {places['mpiexec']}}}}}\n"
        f"networks:\n  - {{name: a, counters: {{command: [{places['counters']}], kind: snmp}}}}\n"
        f"batch: {{system: slurm, commands: {places['bin']}}}\n"
    )
    keep_site(run, read_site_file(file))
    file.unlink()
    require_own_site_in(run, file)
    places[key].chmod(0o666)
    with pytest.raises(SiteError, match=f"all users may write {places[key]}"):
        require_own_site_in(run, file)


def test_a_run_without_a_site_heeds_none_that_lies_in_it(run: RunDirectory, file: Path) -> None:
    run.site_file.write_text(file.read_text())
    require_own_site_in(run, None)
    assert site_of(run, None) == Site()
    assert remark_on_site(run, None) is None


def test_a_run_of_an_earlier_version_reads_the_file_that_it_names(
    run: RunDirectory, file: Path
) -> None:
    require_own_site_in(run, file)
    assert site_of(run, file).system == "lyra"
    assert remark_on_site(run, file) is None
    file.chmod(0o666)
    with pytest.raises(SiteError, match="all users may write"):
        require_own_site_in(run, file)
    require_own_site_in(run, file, trust=True)


@pytest.mark.parametrize("name", ["nul\0", "n" * 300, "gone/below"])
def test_a_site_file_with_a_name_that_none_can_have_is_no_longer_there(
    run: RunDirectory, file: Path, name: str
) -> None:
    keep_site(run, read_site_file(file))
    named = file.parent / name
    require_own_site_in(run, named)
    remark = remark_on_site(run, named)
    assert remark is not None
    assert "no longer exists" in remark


def test_a_copy_behind_a_link_is_not_read(run: RunDirectory, file: Path) -> None:
    run.site_file.symlink_to(file)
    for use in (site_of, require_own_site_in):
        with pytest.raises(SiteError, match="cannot be read: it is a link"):
            use(run, file)


def test_the_site_file_is_read_once(
    run: RunDirectory, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An evaluation that fails because its site has fewer nodes than requested."""
    read: list[Path] = []

    def site_text(path: Path, *, follow: bool = True) -> str:
        read.append(path)
        return yaml.site_text(path, follow=follow)

    monkeypatch.setattr(sites, "site_text", site_text)
    request = Request(site=file, nodes=(9,), out=run.path)
    with pytest.raises(UsageError, match="9 nodes are asked for"):
        conductor.evaluate(request, Progress())
    assert read == [file]
    assert not run.site_file.exists()


def test_nothing_is_left_of_a_run_that_comes_to_no_plan(run: RunDirectory, file: Path) -> None:
    keep_site(run, read_site_file(file))
    RunDirectory.create(run.path)  # as after a kill before its run.json
    run.discard_if_unplanned()
    assert not run.site_file.exists()
    keep_site(run, read_site_file(None))
    assert not run.site_file.exists()
