"""What a case goes through is counted as its program does it."""

from __future__ import annotations

from heorot.catalogue.asked import Asked
from heorot.families.messages.sizes import message_sizes, sizes_of_doubles
from heorot.model.catalogue.benchmark import Case


def asked(program: str, **options: str | int) -> Asked:
    named = {name.replace("_", "-"): value for name, value in options.items()}
    return Asked(f"messages/{program}", Case(name="one", options=dict(named)))


def sizes(**options: str | int) -> list[int]:
    return message_sizes(asked("pingpong", **options))


def test_sizes_are_nothing_and_powers_of_two_up_to_4_mib() -> None:
    assert sizes() == [0, *(1 << i for i in range(23))]


def test_sizes_lie_between_the_smallest_and_the_largest() -> None:
    assert sizes(min_bytes=3, max_bytes="1k") == [4, 8, 16, 32, 64, 128, 256, 512, 1024]


def test_several_sizes_to_an_octave_are_rounded_and_each_once() -> None:
    assert sizes(max_bytes=16, points_per_octave=2) == [0, 1, 2, 3, 4, 6, 8, 11, 16]


def test_a_list_is_taken_as_it_is() -> None:
    assert sizes(sizes="65536,3") == [65536, 3]
    assert sizes(sizes="1,x") == [1]


def test_a_program_has_ends_of_its_own_unless_told_otherwise() -> None:
    assert message_sizes(asked("loggp")) == [1 << i for i in range(17)]
    assert message_sizes(asked("loggp", max_bytes=8)) == [1, 2, 4, 8]
    assert message_sizes(asked("loggp", min_bytes=0, max_bytes=4)) == [0, 1, 2, 4]
    assert sizes(max_bytes=0) == [0]


def test_only_whole_numbers_of_doubles_are_vectors() -> None:
    assert sizes_of_doubles(asked("ring", max_bytes=64)) == [8, 16, 32, 64]
    assert sizes_of_doubles(asked("ring", min_bytes=0, max_bytes=16)) == [8, 16]
    finer = asked("ring", max_bytes=64, points_per_octave=2)
    assert sizes_of_doubles(finer) == [8, 16, 32, 64]
    assert sizes_of_doubles(asked("ring", sizes="0,3,24,8")) == [24, 8]
