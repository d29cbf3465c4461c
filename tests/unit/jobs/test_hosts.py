"""Names of hosts, as short as batch systems write them."""

from __future__ import annotations

import pytest

from heorot.jobs.hosts import shorten_hosts


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
