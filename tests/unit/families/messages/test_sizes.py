"""What a case goes through is counted as its program does it."""

from __future__ import annotations

from heorot.families.messages.sizes import message_sizes
from heorot.model.catalogue.benchmark import Case


def sizes(**options: str | int) -> list[int]:
    return message_sizes(
        Case(name="one", options={name.replace("_", "-"): value for name, value in options.items()})
    )


def test_sizes_are_nothing_and_powers_of_two_up_to_4_mib() -> None:
    assert sizes() == [0, *(1 << i for i in range(23))]


def test_sizes_lie_between_the_smallest_and_the_largest() -> None:
    assert sizes(min_bytes=3, max_bytes="1k") == [4, 8, 16, 32, 64, 128, 256, 512, 1024]


def test_several_sizes_to_an_octave_are_rounded_and_each_once() -> None:
    assert sizes(max_bytes=16, points_per_octave=2) == [0, 1, 2, 3, 4, 6, 8, 11, 16]


def test_a_list_is_taken_as_it_is() -> None:
    assert sizes(sizes="65536,3") == [65536, 3]
    assert sizes(sizes="1,x") == [1]
