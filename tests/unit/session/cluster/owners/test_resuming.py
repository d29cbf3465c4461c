"""A resumed or inspected run uses its site file as it was at the run's start."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import SetupError, SiteError
from heorot.model.machine.site import Site
from heorot.session import conductor, run_status
from heorot.session.cluster.sites import keep_site, read_site_file
from heorot.session.progress import Progress
from heorot.store.directory import RunDirectory
from heorot.throughput.session import conduct
from heorot.throughput.session.view import ThroughputView
from heorot.throughput.store import ThroughputDirectory
from tests.unit.session.cluster.owners.conftest import Ran
from tests.unit.session.conftest import Reported


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user without earlier runs."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_commands_of_a_site_file_that_has_moved_are_asked_of_its_own_user(
    named: RunDirectory, site: Path, ran: Ran
) -> None:
    named.site_file.write_text(site.read_text())
    text = site.read_text()
    site.unlink()
    uses = (
        lambda: run_status.status(named.path),
        lambda: run_status.stop(named.path),
        lambda: conductor.resume(named.path, Progress()),
    )
    for use in uses:  # as with a run sent by a vendor
        with pytest.raises(SiteError, match="its commands are not run: only the run itself"):
            use()
    assert not ran()
    site.write_text(text)
    keep_site(named, read_site_file(site))
    site.unlink()
    assert run_status.status(named.path).state == "stopped"
    assert ran()


def test_a_resumed_run_uses_the_site_file_as_it_was(
    named: RunDirectory,
    throughput_test: ThroughputDirectory,
    site: Path,
    reported: Reported,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for directory in (named, throughput_test):
        keep_site(directory, read_site_file(site))
    (throughput_test.path / "day.json").write_text("{}")
    site.write_text("system: elsewhere\n")
    used: list[Site] = []

    def find(_: object, site: Site, *__: object) -> None:
        used.append(site)
        raise SetupError("enough", "")

    monkeypatch.setattr(conductor, "resolve_target", find)
    monkeypatch.setattr(conduct, "resolve_for_throughput", find)
    with pytest.raises(SetupError, match="enough"):
        conductor.resume(named.path, reported)
    with pytest.raises(SetupError, match="enough"):
        conduct.resume(throughput_test.path, ThroughputView())
    assert [each.batch is not None and each.batch.system for each in used] == ["slurm", "slurm"]
    said = f"{site} has changed since the run began: resuming with its copy"
    assert any(line.startswith(said) for line in reported.stages)
