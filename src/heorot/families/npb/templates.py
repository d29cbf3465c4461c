"""Sentences about the NAS Parallel Benchmarks."""

from __future__ import annotations

from heorot.analyse.rows import TOO_SMALL
from heorot.analyse.templates.template import SentenceTemplate, Template

_SMALL = "[ ({small} is " + TOO_SMALL + ")]."
PERFORMED = SentenceTemplate(
    "npb/performed",
    "{first} performs {rate} on {rate.cores:one core|cores}[, {of_peak} of peak][, "
    "{alike_first:one of the|the} fastest of {n} NPB programs. {alike_last:One of the|The} slowest "
    "is {last} with {last_rate}][, {last_of_peak} of peak]" + _SMALL,
    weight=0.8,
    brief="{first}, {alike_first:one of the|the} fastest of the NPB programs, reaches {rate} on "
    "{rate.cores:one core|cores}[, {of_peak} of peak].",
)
ROOFLINES = SentenceTemplate(
    "npb/rooflines",
    "Share of the roofline on one core, performed operations: {programs:;}" + _SMALL,
    weight=0.5,
)
OF_ROOFLINE = Template("npb/of roofline", "{problem} {share}")
EP = SentenceTemplate(
    "npb/ep",
    "{problem} generates random numbers at {rate} on {rate.cores:one core|cores}{rate.nodes:=| of "
    "{rate.nodes} nodes}[ with {efficiency:efficiency}]" + _SMALL,
    weight=0.3,
)
BALANCE = SentenceTemplate(
    "npb/balance",
    "Load balance of zones: {programs:;}{small: (such classes are " + TOO_SMALL + ")|}.",
    weight=0.4,
)
BALANCE_OF = Template(
    "npb/balance of",
    "{problem} on {promised.ranks} ranks{promised.nodes:=| on {promised.nodes} nodes} "
    "{promised:%} predicted, {measured} measured",
)
ZONES = SentenceTemplate("npb/zones", "{problem}: {reach}.", weight=0.2)
MANY_ZONES = Template("npb/reach", "{zones} zones")
REACH = Template(
    "npb/reach",
    "{zones} zones balance to {least:value} or more on up to {every:rank}[, and on at most "
    "{largest}; in between the balance falls to {worst:value} on {worst_ranks}][; beyond that to "
    "{drops:,}]",
)
ON_RANKS = Template("npb/on ranks", "{share:value} on {ranks}")
FORESEEN = Template("npb/foreseen", "{program} class {size}: {reach}[; planned: {planned:,}]")
