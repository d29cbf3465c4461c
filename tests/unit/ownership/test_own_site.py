"""An unreadable site file is reported as such, for any owner."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from heorot.errors import SiteError
from heorot.ownership import trust


def test_a_site_file_that_may_not_be_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, **_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(trust, "require_regular", refuse)
    with pytest.raises(SiteError, match="cannot be read: Permission denied") as caught:
        trust.require_own_site(tmp_path / "site.yaml")
    assert caught.value.hint == "name a file that you can read"


@pytest.mark.parametrize("name", ["missing", "missing/below"])
def test_what_is_missing_is_said_by_whoever_reads_it(tmp_path: Path, name: str) -> None:
    tmp_path.joinpath("file").touch()
    trust.require_own_site(tmp_path / name)
    trust.require_own_site(tmp_path / "file" / "below")
    tmp_path.chmod(0o757)  # others can put one there
    with pytest.raises(SiteError, match="all users may write"):
        trust.require_own_site(tmp_path / name)
