"""What is said of the NAS Parallel Benchmarks."""

from __future__ import annotations

from heorot.analyse.rows import TOO_SMALL
from heorot.analyse.templates.template import SentenceTemplate, Template

_SMALL = "[ ({small} is " + TOO_SMALL + ")]."
PERFORMED = SentenceTemplate(
    "npb/performed",
    "By the operations that it performs, {first} runs on {rate.cores:one core|cores} at {rate}[, "
    "{of_peak} of peak][, {alike_first:one of the|the} fastest of {n} NPB programs; "
    "{alike_last:one of the|the} slowest, {last}, at {last_rate}][, {last_of_peak} of peak]"
    + _SMALL,
    weight=0.8,
)
ROOFLINES = SentenceTemplate(
    "npb/rooflines",
    "Of what its roofline allows one core, by the operations it really performs, {programs:;} "
    "{n:=is|are} reached" + _SMALL,
    weight=0.5,
)
OF_ROOFLINE = Template("npb/of roofline", "{problem} {share}")
EP = SentenceTemplate(
    "npb/ep",
    "{problem} makes random numbers at {rate} on {rate.cores:one core|cores}{rate.nodes:=| of "
    "{rate.nodes} nodes}[ with {efficiency:efficiency}]" + _SMALL,
    weight=0.3,
)
BALANCE = SentenceTemplate(
    "npb/balance",
    "Balance of zones between ranks: {programs:;}{small: (such classes are " + TOO_SMALL + ")|}.",
    weight=0.4,
)
BALANCE_OF = Template(
    "npb/balance of",
    "{problem} on {promised.ranks} ranks{promised.nodes:=| on {promised.nodes} nodes} "
    "{promised:%} promised, {measured} measured",
)
ZONES = SentenceTemplate("npb/zones", "{problem}: {reach}.", weight=0.2)
MANY_ZONES = Template("npb/reach", "{zones} zones")
REACH = Template(
    "npb/reach",
    "{zones} zones balance to {least:value} or more on any number of ranks up to {every}[, and on "
    "{largest} at most; in between they fall as low as {worst:value}, on {worst_ranks}][; beyond "
    "it to {drops:,}]",
)
ON_RANKS = Template("npb/on ranks", "{share:value} on {ranks}")
FORESEEN = Template("npb/foreseen", "{program} class {size}: {reach}[; planned: {planned:,}]")
