"""Grouping by a key, and the best of each group."""

from heorot.model.grouping import best_of_each, group_by

WORDS = ("pear", "fig", "plum", "apple", "fennel")


def test_groups_and_their_members_keep_their_order() -> None:
    groups = group_by(iter(WORDS), lambda word: word[0])
    assert list(groups.items()) == [
        ("p", ["pear", "plum"]),
        ("f", ["fig", "fennel"]),
        ("a", ["apple"]),
    ]


def test_nothing_has_no_groups() -> None:
    assert group_by((), len) == {}
    assert best_of_each((), len, len) == {}


def test_of_equals_the_first_is_the_best() -> None:
    best = best_of_each(WORDS, lambda word: word[0], len)
    assert best == {"p": "pear", "f": "fennel", "a": "apple"}
    assert list(best) == ["p", "f", "a"]
