"""Host names, in the short form of batch systems and in full."""

from __future__ import annotations

import pytest

from heorot.jobs.hosts import expand_hosts, shorten_hosts


@pytest.mark.parametrize(
    ("hosts", "short"),
    [
        ((), ""),
        (("login",), "login"),
        (("n1", "n2"), "n1, n2"),
        (("n3", "n1", "n2", "n7"), "n[1-3,7]"),
        (("r1n09", "r1n10", "r1n11"), "r1n[09-11]"),
        (("n1.site", "n2.site", "n3.site"), "n[1-3].site"),
        (("a", "b", "n1"), "a, b, n1"),
        (tuple("abcdefg"), "a, b, c, d, and 3 more"),
    ],
)
def test_names_of_hosts_are_shortened(hosts: tuple[str, ...], short: str) -> None:
    assert shorten_hosts(hosts) == short


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("n1", ["n1"]),
        ("n[1-3,7],login", ["n1", "n2", "n3", "n7", "login"]),
        ("n[08-11]", ["n08", "n09", "n10", "n11"]),
        ("r[1-2]n[1-2]", ["r1n1", "r1n2", "r2n1", "r2n2"]),
        ("n[x]", ["n[x]"]),
        ("", []),
    ],
)
def test_hosts_are_spelled_out(text: str, hosts: list[str]) -> None:
    assert list(expand_hosts(text)) == hosts


def test_no_list_of_hosts_is_endless() -> None:
    assert len(expand_hosts("n[0-999999999][0-999999999]")) <= 10_000
