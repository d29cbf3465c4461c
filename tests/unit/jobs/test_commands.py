"""Notes of a step's commands are read as far as they are complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.jobs.commands import (
    CommandEnd,
    commands_file,
    ranks_file,
    read_commands,
    read_placement,
)

START = '{"event":"start","command":"%s","time":%s}\n'
EXIT = '{"event":"exit","command":"%s","time":%s,"code":%d}\n'
RANK = '{"command":"%s","rank":%d,"pid":%d,"cpus":"%s"}\n'


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a step; it need not be there."""
    return tmp_path / "S0001.jsonl"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (START % ("a", 1.5), [CommandEnd("a")]),
        (START % ("a", 1.5) + EXIT % ("a", 4.0, 0), [CommandEnd("a", 2.5, 0)]),
        (
            START % ("b", 1) + EXIT % ("b", 2, 0) + START % ("a", 2) + EXIT % ("a", 5, 9),
            [CommandEnd("b", 1.0, 0), CommandEnd("a", 3.0, 9)],
        ),
        ((START % ("a", 1) + EXIT % ("a", 2, 0))[:-1], [CommandEnd("a")]),  # torn
        (EXIT % ("a", 2, 0), []),  # never began
        ("nothing\n" + START % ("a", 1) + "[]\n", [CommandEnd("a")]),
        (START % ("a", 1) + EXIT % ("a", "-1", 0), [CommandEnd("a")]),
        (START % ("a", '"now"'), []),
    ],
)
def test_commands_in_their_order(record: Path, text: str, found: list[CommandEnd]) -> None:
    commands_file(record).write_text(text)
    assert list(read_commands(record)) == found


def test_a_step_of_one_command_notes_none(record: Path) -> None:
    assert read_commands(record) == ()
    assert read_placement(record, 1) == ()


def on(record: Path, host: str, *lines: tuple[str, int, int, str]) -> None:
    text = "".join(RANK % line for line in lines)
    Path(f"{ranks_file(record)}.{host}").write_text(text)


def test_ranks_in_their_order_with_host_process_and_cpus(record: Path) -> None:
    on(record, "n2", ("a", 2, 22, "0-1,4"), ("a", 1, 21, ""))
    on(record, "n10.site", ("a", 0, 30, "7"))
    found = [(one.rank, one.host, one.pid, one.cpus) for one in read_placement(record, 3)]
    assert found == [(0, "n10.site", 30, (7,)), (1, "n2", 21, ()), (2, "n2", 22, (0, 1, 4))]


@pytest.mark.parametrize("ranks", [1, 3])
def test_another_number_of_ranks_is_not_known(record: Path, ranks: int) -> None:
    on(record, "n1", ("a", 0, 1, "0"), ("a", 1, 2, "1"))
    assert read_placement(record, ranks) == ()


def test_of_several_commands_the_one_on_the_fewest_hosts_counts(record: Path) -> None:
    on(record, "n1", ("a", 0, 1, "0"), ("b", 0, 5, "0"), ("b", 1, 6, "1"))
    on(record, "n2", ("a", 1, 2, "0"))
    assert [(one.host, one.pid) for one in read_placement(record, 2)] == [("n1", 5), ("n1", 6)]
    on(record, "n2", ("a", 1, 2, "0"), ("b", 2, 7, "0"))
    assert read_placement(record, 2) == ()


@pytest.mark.parametrize("host", ["no name", "-n1", ".n1"])
def test_what_is_no_name_of_a_host_is_none(record: Path, host: str) -> None:
    on(record, host, ("a", 0, 1, "0"))
    assert read_placement(record, 1) == ()


@pytest.mark.parametrize("cpus", ["0-1; rm", "a", "0 1"])
def test_what_is_no_list_of_cpus_is_no_rank(record: Path, cpus: str) -> None:
    on(record, "n1", ("a", 0, 1, cpus))
    assert read_placement(record, 1) == ()


def test_the_files_of_another_step_are_not_looked_at(record: Path) -> None:
    on(record.with_name("S00011.jsonl"), "n1", ("a", 0, 1, "0"))
    assert read_placement(record, 1) == ()
