"""A run directory that the nodes of a lab cannot see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heorot.errors import UsageError
from heorot.session import laboratory


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The site file of a lab whose nodes have a `tmp` of their own, but for one directory in it."""
    file = tmp_path / "site.yaml"
    file.touch()
    (tmp_path / "settings.json").write_text(json.dumps({"shared": [str(tmp_path / "tmp/seen")]}))
    monkeypatch.setattr(laboratory, "OWN", (str(tmp_path / "tmp"),))
    monkeypatch.setattr(laboratory, "names", lambda: ["small"])
    monkeypatch.setattr(laboratory, "site_file", lambda _: file)
    monkeypatch.setattr("heorot.lab.storage.directory_of", lambda _: tmp_path)
    return file


@pytest.mark.parametrize("run", ["tmp/run", "tmp", "tmp/a/b"])
def test_it_is_reported_as_that(site: Path, tmp_path: Path, run: str) -> None:
    wanted = f"the nodes of the lab small cannot see {tmp_path / run}"
    with pytest.raises(UsageError, match=wanted) as raised:
        laboratory.require_seen(site, tmp_path / run)
    assert "--shared" in raised.value.hint


@pytest.mark.parametrize("run", ["tmp/seen", "tmp/seen/run", "runs", "tmpfiles/run"])
def test_what_they_see_is_fine(site: Path, tmp_path: Path, run: str) -> None:
    laboratory.require_seen(site, tmp_path / run)


def test_other_sites_are_no_labs(site: Path, tmp_path: Path) -> None:
    laboratory.require_seen(site.with_name("other.yaml"), tmp_path / "tmp/run")
    laboratory.require_seen(None, tmp_path / "tmp/run")
