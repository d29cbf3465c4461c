"""What a case goes through is counted as its program does it."""

from __future__ import annotations

from heorot.families.messages.sizes import message_sizes, sizes_of_doubles
from heorot.model.catalogue.benchmark import Case


def case(**options: str | int) -> Case:
    named = {name.replace("_", "-"): value for name, value in options.items()}
    return Case(name="one", options=dict(named))


def sizes(**options: str | int) -> list[int]:
    return message_sizes(case(**options))


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
    assert message_sizes(case(), smallest=1, largest=4) == [1, 2, 4]
    assert message_sizes(case(max_bytes=8), smallest=1, largest=4) == [1, 2, 4, 8]
    assert message_sizes(case(min_bytes=0), smallest=1, largest=4) == [0, 1, 2, 4]
    assert message_sizes(case(max_bytes=0)) == [0]


def test_only_whole_numbers_of_doubles_are_vectors() -> None:
    assert sizes_of_doubles(case(), largest=64) == [8, 16, 32, 64]
    assert sizes_of_doubles(case(min_bytes=0, max_bytes=16)) == [8, 16]
    assert sizes_of_doubles(case(points_per_octave=2), largest=64) == [8, 16, 32, 64]
    assert sizes_of_doubles(case(sizes="0,3,24,8")) == [24, 8]
