"""Policies and estimates as users write them, and as reports word them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heorot.errors import UsageError
from heorot.throughput.simulate.setting import (
    Estimates,
    Reservation,
    Setting,
    parse_estimates,
    parse_policy,
)


@pytest.mark.parametrize(
    ("text", "order", "backfill"),
    [
        ("fcfs", "fcfs", "none"),
        (" EASY ", "fcfs", "easy"),
        ("conservative", "fcfs", "conservative"),
        ("firstfit", "fcfs", "firstfit"),
        ("sjf", "sjf", "none"),
        ("largest+easy", "largest", "easy"),
        ("fairshare+conservative", "fairshare", "conservative"),
        ("ljf+none", "ljf", "none"),
    ],
)
def test_policies_have_short_and_long_names(text: str, order: str, backfill: str) -> None:
    policy = parse_policy(text)
    assert (policy.name, policy.order, policy.backfill) == (text.strip().lower(), order, backfill)
    assert policy.definition


@pytest.mark.parametrize("text", ["", "eazy", "sjf+", "+easy", "easy+easy", "sjf+fcfs"])
def test_what_is_no_policy_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="there is no policy"):
        parse_policy(text)


@pytest.mark.parametrize(
    ("text", "kind", "factor"),
    [
        ("exact", "exact", 1.0),
        ("limit", "limit", 1.0),
        ("factor:2", "factor", 2.0),
        ("Uniform:1.5", "uniform", 1.5),
    ],
)
def test_estimates_are_read(text: str, kind: str, factor: float) -> None:
    read = parse_estimates(text)
    assert (read.kind, read.factor) == (kind, factor)
    assert "estimates are" in read.definition
    assert ("or if longer" in read.definition) == (kind == "limit")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "guess",
        "exact:2",
        "factor",
        "factor:",
        "factor:x",
        "factor:0.5",
        "factor:nan",
        "uniform:1e7",
    ],
)
def test_what_are_no_estimates_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_estimates(text)


def test_a_setting_states_all_conditions() -> None:
    setting = Setting(
        parse_policy("fairshare+easy"),
        8,
        4,
        "packed",
        ports_per_node=2,
        estimates=Estimates("factor", 3.0),
        kill_at_limit=True,
        reservations=(Reservation(60.0, 120.0, 2),),
    )
    for words in ("Lifka 1995", "weight 24", "half-life 604800 s", "1 per hour", "3 x the run"):
        assert words in setting.definition
    for words in ("end at their limit", "fullest nodes first", "each node: 2", "2 nodes reserved"):
        assert words in setting.conditions
    plain = Setting(parse_policy("fcfs"), 8)
    assert "half-life" not in plain.definition
    assert "hour" not in plain.definition
    assert "limits are not enforced; whole nodes, any" in plain.definition


def test_a_setting_states_how_many_jobs_have_reservations() -> None:
    setting = Setting(parse_policy("conservative"), 8)
    assert "at most 200 at a time have reservations" in setting.definition
    unbounded = replace(setting, most_reservations=None)
    assert "all queued jobs have reservations" in unbounded.definition
    assert "have reservations" not in Setting(parse_policy("easy"), 8).definition
