"""Commands named by run directories and site files of other users are not run."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from heorot.cli.main import cli
from heorot.errors import RunError, SiteError
from heorot.launch.running import Running
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.site import Site
from heorot.ownership.trust import require_own_site, require_own_site_of
from heorot.session import conductor, run_status
from heorot.session.blocks import measure
from heorot.session.progress import Progress
from heorot.session.runs import conclude, reopen, write_report
from heorot.session.verification.compared import compare
from heorot.session.verification.exported import export
from heorot.store.directory import RunDirectory
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.session import conduct, throughput_status
from heorot.throughput.session.view import ThroughputView
from heorot.throughput.store import ThroughputDirectory
from tests.unit.session.cluster.owners.conftest import Ran, name_site
from tests.unit.session.conftest import FakeAdapter, Reported

NOBODY = 65534
Taken = Callable[[Path], None]


def _open_to_all(path: Path) -> None:
    path.chmod(path.stat().st_mode | 0o002)


def _of_another(path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files to others")
    os.chown(path, NOBODY, -1)


ways = pytest.mark.parametrize("take", [_open_to_all, _of_another])


def test_commands_of_an_own_site_file_are_asked(named: RunDirectory, ran: Ran) -> None:
    assert run_status.status(named.path).state == "stopped"
    assert ran()


@ways
def test_commands_of_anothers_site_file_are_not_asked(
    named: RunDirectory, site: Path, ran: Ran, take: Taken
) -> None:
    take(site)
    for look in (
        lambda: run_status.status(named.path),
        lambda: run_status.stop(named.path),
        lambda: conductor.resume(named.path, Progress()),
    ):
        with pytest.raises(SiteError, match=f"^{site}: its commands are not run: ") as refused:
            look()
        assert "--trust" in refused.value.hint
    assert not ran()
    assert run_status.status(named.path, trust=True).state == "stopped"
    assert ran()


def test_what_runs_here_is_not_ended_by_anothers_commands(
    named: RunDirectory, site: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Running(pid=0, directory=named.job(1).resolve())
    monkeypatch.setattr(run_status, "running_jobs", lambda: [here])
    _open_to_all(site)
    with pytest.raises(SiteError, match="its commands are not run"):
        run_status.stop(named.path)
    assert run_status.status(named.path).state == "alone"  # which takes no command
    assert not ran()


def test_a_run_that_has_ended_needs_no_commands(run: RunDirectory, site: Path, ran: Ran) -> None:
    _open_to_all(site)
    name_site(run, site)
    assert run_status.status(run.path).state == "stopped"  # it has no jobs
    assert not ran()


@ways
@pytest.mark.parametrize("which", [".", "jobs", "jobs/J0001", "jobs/J0001/script.sh", "run.json"])
def test_what_another_can_write_of_a_run_is_not_run(
    named: RunDirectory, which: str, ran: Ran, take: Taken
) -> None:
    take(named.path / which)
    for use in (
        lambda: run_status.stop(named.path),
        lambda: conductor.resume(named.path, Progress()),
    ):
        with pytest.raises(RunError, match=f"nothing of {named.path} is run or ended: "):
            use()
    assert not ran()
    assert (
        run_status.status(named.path).state == "stopped"
    )  # its facts may be read, by own commands
    assert ran()


def test_a_trusted_run_is_resumed(named: RunDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    _open_to_all(named.path)
    reached: list[Path] = []

    def go_on(directory: RunDirectory, *_: object, anyway: bool) -> None:
        del anyway
        reached.append(directory.path)

    monkeypatch.setattr(conductor, "_conduct", go_on)
    monkeypatch.setattr(conductor, "resolve_target", lambda *_: None)
    conductor.resume(named.path, Progress(), trust=True)
    assert not run_status.stop(named.path, trust=True)
    assert reached == [named.path]


def test_a_run_names_a_site_file_by_its_own_path(
    run: RunDirectory, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_own_site_of(run.path, site)
    require_own_site_of(run.path, site.parent / "missing.yaml")
    require_own_site_of(run.path, None)
    monkeypatch.chdir(site.parent)
    (run.path / "own.yaml").write_text("")
    (site.parent / "link.yaml").symlink_to(run.path / "own.yaml")
    strange = (
        Path("site.yaml"),
        Path("/proc/self/cwd/site.yaml"),
        Path("/dev/fd/0"),
        Path("/nul\0"),
        run.path / "own.yaml",
        run.path / ".." / "run" / "own.yaml",
        site.parent / "link.yaml",
    )
    for each in strange:
        with pytest.raises(SiteError, match="its commands are not run"):
            require_own_site_of(run.path, each)
        require_own_site_of(run.path, each, trust=True)


@ways
def test_a_throughput_test_names_facts_as_a_run_does(
    throughput_test: ThroughputDirectory, site: Path, ran: Ran, take: Taken
) -> None:
    assert not throughput_status.stop_throughput(throughput_test.path)
    uses = (
        lambda: throughput_status.stop_throughput(throughput_test.path),
        lambda: conduct.resume(throughput_test.path, ThroughputView()),
    )
    (throughput_test.path / "day.json").write_text("{}")
    take(site)
    for use in uses:
        with pytest.raises(SiteError, match="its commands are not run"):
            use()
    take(throughput_test.path)
    for use in uses:
        with pytest.raises(RunError, match="is run or ended"):
            use()
    assert not ran()


def test_a_throughput_test_has_two_requests(
    throughput_test: ThroughputDirectory, site: Path
) -> None:
    throughput_test.write_request(ThroughputRequest(schedule="a"))
    (throughput_test.path / "day.json").write_text("{}")
    name_site(throughput_test, site)
    _open_to_all(site)
    with pytest.raises(SiteError, match="its commands are not run"):
        conduct.resume(throughput_test.path, ThroughputView())


def test_a_site_file_is_refused_before_anything_is_done_with_it(site: Path) -> None:
    require_own_site(site)
    require_own_site(None)
    _open_to_all(site.parent)
    with pytest.raises(SiteError, match=f"all users may write {site.parent}"):
        require_own_site(site)
    require_own_site(site, trust=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "doctor",
        "machine",
        "evaluate --dry-run",
        "run memory/stream",
        "throughput steen2000",
        "batch check --yes",
        "recipe check hpcc",
    ],
)
def test_every_command_with_a_site_file_looks_whose_it_is(site: Path, words: str, ran: Ran) -> None:
    _open_to_all(site)
    done = CliRunner().invoke(cli, [*words.split(), "--site", str(site)])
    assert isinstance(done.exception, SiteError), done.output
    assert "its commands are not run" in str(done.exception)
    assert not ran()


@pytest.mark.slow
@pytest.mark.parametrize("after", [True, False])
def test_trust_counts_wherever_it_stands(site: Path, after: bool, ran: Ran) -> None:
    _open_to_all(site)
    words = ["--site", str(site)]
    words = [*words, "--trust"] if after else ["--trust", *words]
    done = CliRunner().invoke(cli, ["batch", "check", *words, "--yes"])
    assert not isinstance(done.exception, SiteError)
    assert ran()


@pytest.mark.slow
def test_the_commands_on_runs_take_trust(named: RunDirectory, site: Path) -> None:
    _open_to_all(site)
    for words in (["status"], ["stop"], ["evaluate", "--anyway", "--resume"]):
        refused = CliRunner().invoke(cli, [*words, str(named.path)])
        assert isinstance(refused.exception, SiteError)
    for words in (["status"], ["stop"]):
        done = CliRunner().invoke(cli, [*words, str(named.path), "--trust"])
        assert done.exception is None


@pytest.mark.slow
def test_to_read_a_run_nothing_is_run(
    named: RunDirectory, adapter: FakeAdapter, reported: Reported, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure(named, ExecutionTarget(adapter, Site(), 1), reported)
    conclude(named)
    named.path.parent.chmod(0o777)  # where others can exchange it, it can still be read
    monkeypatch.setattr(
        subprocess, "Popen", lambda *words, **_named: pytest.fail(f"it runs {words}")
    )
    ended = reopen(named.path)
    write_report(ended, None)
    assert export(named.path, "csv")
    assert compare(named.path, named.path).metrics
    assert run_status.status(named.path).state == "complete"
