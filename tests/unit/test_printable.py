"""Output of other programs is made printable in one line."""

from __future__ import annotations

from heorot.printable import printable


def test_what_breaks_lines_or_steers_a_terminal_is_left_out() -> None:
    assert printable("1\x1c2\x1b[31m3\r\n4\u20285\x00") == "12[31m345"


def test_letters_and_blanks_stay() -> None:
    assert printable("3,5 µs – 零") == "3,5 µs – 零"
