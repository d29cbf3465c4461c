"""Names of published systems: how they are found, and what is said if there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import UsageError
from heorot.references import library


@pytest.mark.parametrize(
    "text", ["steen2000:compaq-xp1000", "steen2000:xp1000", "steen2000:compaq_xp1000"]
)
def test_a_part_of_the_name_is_enough(text: str) -> None:
    source, system = library.find_system(text)
    assert (source.name, system.name) == ("steen2000", "compaq-xp1000")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("steen1999:xp1000", "there is no published source steen1999, only gordon2003"),
        ("steen2000:sgi", "steen2000:sgi: steen2000 has several systems: sgi-l1200, sgi-"),
        ("steen2000:hal", "steen2000:hal: steen2000 has only: compaq-xp1000"),
    ],
)
def test_what_is_not_there_is_one_line(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        library.find_system(text)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_of_two_networks_one_is_named() -> None:
    with pytest.raises(UsageError) as caught:
        library.find_publication("steen2000:sgi-l1200")
    assert "figures of Fast Ethernet, Myrinet" in str(caught.value)
    slow = library.find_publication("steen2000:sgi-l1200@fast-ethernet")
    fast = library.find_publication("steen2000:sgi-l1200@Myrinet")
    rates = [
        {one.value for one in machine.quantities if one.benchmark == "messages/patterns"}
        for machine in (slow, fast)
    ]
    assert max(rates[0]) < max(rates[1])
    assert "Myrinet" in fast.name


def test_of_figures_without_counterpart_nothing_is_compared() -> None:
    with pytest.raises(UsageError) as caught:
        library.find_publication("gordon2003:eta-sci")
    assert "no figure that a run can be compared with" in str(caught.value)


def test_a_file_of_that_name_is_no_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert library.names_reference("steen2000:xp1000")
    Path("steen2000:xp1000").mkdir()
    assert not library.names_reference("steen2000:xp1000")
    assert not library.names_reference("runs/first")


def test_own_files_are_where_the_environment_says(tmp_path: Path) -> None:
    assert library.own_directory({"HEOROT_REFERENCES": str(tmp_path)}) == tmp_path
    data = library.own_directory({"XDG_DATA_HOME": "/data"})
    assert data == Path("/data/heorot/references")
    home = library.own_directory({"XDG_DATA_HOME": "relative"})
    assert home == Path.home() / ".local/share/heorot/references"


def test_a_file_is_named_after_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEOROT_REFERENCES", str(tmp_path / "own"))
    file = library.own_file("Cluster A / 2")
    assert file == tmp_path / "own" / "cluster-a-2.yaml"
    file.touch()
    assert list(library.own_files()) == [file]
    with pytest.raises(UsageError):
        library.own_file("///")
