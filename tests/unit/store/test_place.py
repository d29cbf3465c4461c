"""Directories of runs: all different, and a run that does not begin leaves none."""

from __future__ import annotations

import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from heorot.errors import RunError, SetupError, UsageError
from heorot.model.run.request import Request
from heorot.session import conductor
from heorot.session.progress import Progress
from heorot.store.directory import RunDirectory
from heorot.store.place import place_for, unless_gone


def test_those_that_begin_in_the_same_second_have_names_of_their_own(tmp_path: Path) -> None:
    with ExitStack() as stack, ThreadPoolExecutor(8) as pool:
        begun = list(
            pool.map(
                lambda _: stack.enter_context(place_for(None, tmp_path / "a/runs", "now")), range(8)
            )
        )
        assert sorted(place.name for place in begun) == ["now", *(f"now-{n}" for n in range(2, 9))]
        assert all(place.is_dir() for place in begun)
        (tmp_path / "a/runs/now-3/run.json").touch()
    assert list((tmp_path / "a/runs").iterdir()) == [tmp_path / "a/runs/now-3"]


def test_evaluations_that_begin_in_the_same_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(time, "strftime", lambda *_: "now")
    inside: list[str] = []

    def plan(*_: object) -> None:
        inside[:] = sorted(place.name for place in (tmp_path / "runs").iterdir())
        if len(inside) < 3:
            conductor.evaluate(Request(), Progress())
        raise UsageError("no benchmark matches", "see the list")

    monkeypatch.setattr(conductor, "_plan_and_build", plan)
    with pytest.raises(UsageError, match="no benchmark"):
        conductor.evaluate(Request(), Progress())
    first = inside[0]
    assert inside == [first, f"{first}-2", f"{first}-3"]
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_of_what_does_not_begin(tmp_path: Path) -> None:
    with pytest.raises(UsageError), place_for(None, tmp_path / "a/b", "now"):
        raise UsageError("no", "no")
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("gone")
    with (
        pytest.raises(UsageError, match="link is a link to gone, which does not exist"),
        place_for(tmp_path / "link", tmp_path, "now"),
    ):
        pass
    (tmp_path / "file").touch()
    with (
        pytest.raises(SetupError, match=r"cannot write .*/file: "),
        place_for(None, tmp_path / "file", "now"),
    ):
        pass
    with place_for(tmp_path / "new", tmp_path, "now") as place:
        assert place == tmp_path / "new"
        assert not place.exists()


@pytest.mark.parametrize(
    ("target", "clause"),
    [
        ("gone", "is a link to gone, which does not exist"),
        ("link", "is a link that leads to itself"),
    ],
)
@pytest.mark.timeout(20)
def test_a_link_on_the_way_that_leads_nowhere_is_named(
    tmp_path: Path, target: str, clause: str
) -> None:
    """Without a name given by its user, too, where the next number would never be free."""
    link = tmp_path / "link"
    link.symlink_to(target)
    for out, parent in ((link / "a/b", tmp_path), (None, link), (None, link / "runs")):
        with (
            pytest.raises(UsageError, match=rf"^{link} {clause}$"),
            place_for(out, parent, "now"),
        ):
            pass
    with pytest.raises(RunError, match=rf"is not a run: {link} {clause}$"):
        RunDirectory.open(link / "a")
    assert list(tmp_path.iterdir()) == [link]


@pytest.mark.parametrize("error", [OSError(2, "No such file"), SetupError("cannot write", "")])
def test_a_run_whose_directory_is_removed_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def plan(*_: object) -> None:
        shutil.rmtree(tmp_path / "run")
        raise error

    monkeypatch.setattr(conductor, "_plan_and_build", plan)
    with pytest.raises(RunError, match=r"the directory of the run is gone: .*/run"):
        conductor.evaluate(Request(out=tmp_path / "run"), Progress())
    with pytest.raises(OSError, match="other"), unless_gone(tmp_path):
        raise OSError(5, "other")
