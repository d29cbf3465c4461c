"""Sentences about several systems side by side."""

from __future__ import annotations

from heorot.analyse.templates.template import SentenceTemplate, Template
from heorot.model.analysis.studies.systems import OPEN_KIND, PROGRAMS

# A program or a bound with its factor.
PROGRAM = Template("systems/program", "{program} ({gain} times[, {layouts}])")

# A system with its factor, where each program has one sentence because many are compared.
SYSTEM = Template("systems/system", "{name} ({gain} times[, {layouts}])")
NAME = Template("systems/name", "{name}")
AT = SentenceTemplate(
    PROGRAMS,
    "At {program} {base} is behind {faster:and}[ and ahead of {slower:and}].",
    weight=1.0,
)
AT_WORST = SentenceTemplate(PROGRAMS, "At {program} {base} is ahead of {slower:and}.", weight=1.0)

FASTER = SentenceTemplate(
    PROGRAMS,
    "{name} is faster than {base} at {faster:and}[; slower at {slower:and}].",
    weight=1.0,
)
SLOWER = SentenceTemplate(PROGRAMS, "{name} is slower than {base} at {slower:and}.", weight=1.0)
ALIKE = SentenceTemplate(
    PROGRAMS,
    "{name} and {base} do not differ significantly in {n:program}.",
    weight=0.8,
)
SPOILT = SentenceTemplate(
    PROGRAMS,
    "Nothing is concluded about {name} and {base}: perturbed samples decide every program.",
    weight=0.9,
)
NOTHING = SentenceTemplate(
    PROGRAMS, "{name} and {base} have no metric in common that can be tested.", weight=0.8
)

# The gap over cores.
GROWS = SentenceTemplate(
    "systems/gap",
    "In {problem} the lead of {leader} over {other} grows from {few} on {few_cores:core} to {many} "
    "on {many_cores:core}.",
    weight=0.9,
)
OPENS = SentenceTemplate(
    "systems/gap",
    "In {problem} {leader} and {other} are alike on {few_cores:core}; on {many_cores:core} "
    "{leader} leads by {many}.",
    weight=0.9,
)
TURNS = SentenceTemplate(
    "systems/gap",
    "In {problem} {first} leads by {few} on {few_cores:core}, {second} by {many} on "
    "{many_cores:core}.",
    weight=0.9,
)

# Possible causes.
CAUSES = SentenceTemplate(
    "systems/causes",
    "Possible causes, not tested: {facts:and 3} {n:=differs|differ}[; unknown of some: "
    "{unknown:and 2}].",
    weight=0.7,
)
NO_CAUSES = SentenceTemplate(
    "systems/causes",
    "No recorded fact of the machines differs[; unknown of some: {unknown:and 3}].",
    weight=0.7,
)
EQUAL_BUILDS = SentenceTemplate(
    "systems/builds",
    "Builds are equal: {what:and}.",
    weight=0.6,
)
OTHER_BUILDS = SentenceTemplate(
    "systems/builds",
    "Builds differ in {what:and}: these ratios compare machine and software together.",
    weight=0.75,
)
UNKNOWN_BUILDS = SentenceTemplate(
    "systems/builds",
    "Not all builds are recorded: whether they are equal is unknown.",
    weight=0.7,
)

OPEN = SentenceTemplate(OPEN_KIND, "Not to be concluded: {open:;}.", weight=0.85)
INDISTINGUISHABLE = Template(
    "systems/part", "{n:,} of {compared:, comparison} show no significant difference"
)
TOO_FEW = Template("systems/part", "launches do not decide {programs:and 3}")
LEFT_OPEN = Template("systems/part", "perturbed samples decide {programs:and 3}: measure again")
UNTESTED = Template("systems/part", "{n:,} have no interval and are not tested")
DISTURBED = Template("systems/part", "{n:,} rest on perturbed samples")
CROWDED = Template("systems/part", "{n:,} rest on oversubscribed cores")
BY_CORES = Template("systems/part", "{n:,} compare other layouts on as many cores")
UNCLEAR = Template("systems/part", "{n:gap} over cores {n:=has|have} no significant trend")
