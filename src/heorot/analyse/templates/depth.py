"""What is said of one node in depth, of its kinds of cores, and of toolchains."""

from __future__ import annotations

from heorot.analyse.templates.template import (
    AttributionTemplate,
    FindingTemplate,
    SentenceTemplate,
    Template,
)

LIMITED = AttributionTemplate(
    "depth/limited", "{program}[, {copies} copies at once,][ on {cores} cores][ {place}.]"
)
_PEAK = "runs at {of_peak} of the peak"
OF_PEAK = Template("depth/place", _PEAK)
BY_UNITS = Template(
    "depth/place",
    "runs at {of_peak} of the peak: it does {intensity:value}, so that the units alone limit it",
)
BY_UNITS_IN_PART = Template(
    "depth/place",
    "runs at {of_peak} of the peak: it does {intensity:value}, so that no bandwidth limits it, "
    "and the units do in part",
)
BY_OPERATIONS = Template(
    "depth/place",
    "runs at {of_peak} of the peak, though with {intensity:value} no bandwidth limits it: its "
    "operations wait for each other, or are not those that the units do best",
)
FED = Template(
    "depth/place",
    "runs at {of_peak} of the peak, {partly:partly |}because {whose} at {of_bound} of what "
    "{giving} can give: it does {intensity:value}",
    rule="{least:.0%} of the bound or more",
)
NEITHER = Template(
    "depth/place",
    "runs at {of_peak} of the peak; {whose}, and {of_bound} of what that allows with "
    "{intensity:value} is reached: {reason}",
)
EXTENT = Template("depth/whose", "the {extent:binary} it goes over come[ from {home}]")
UNKNOWN_EXTENT = Template("depth/whose", "what it works on comes[ from {home}]")
WAITS = Template(
    "depth/reason",
    "this is no more than {times:.0f} times what dependent loads give, so that it waits rather "
    "than streams",
)
OPERATIONS_WAIT = Template(
    "depth/reason", "neither units nor bandwidth limit it, but what its operations wait for"
)
BALANCE = SentenceTemplate(
    "depth/balance", "Machine balance: {parts:;}, {per_double} per double.", weight=0.7
)
BALANCE_OF = Template("depth/balance of", "of {cores:one core|cores} {levels:and}")
BALANCE_FROM = Template("depth/balance from", "{balance} from {level}")
CLEAREST = SentenceTemplate("depth/clearest", "On one core {program} {place}.", weight=0.6)
LIMITS = SentenceTemplate("depth/limits", "Of {n:problem} on one core {groups:and}.", weight=0.3)
OF_ROOF = Template(
    "depth/group",
    "{n} {n:=reaches|reach} {least:value 2} or more of the {units:peak|bandwidth roof} "
    "({programs:, 3})",
)
OF_NEITHER = Template("depth/group", "{n} {n:=reaches|reach} neither ({programs:, 3})")
PROMISES = SentenceTemplate(
    "depth/promises", "Beside unblocked kernels that do the same work, {programs:and}.", weight=0.5
)
PROMISE = Template("depth/promise", "{program} runs {times} times as fast ({kernels:and})")
COMPANY = SentenceTemplate(
    "depth/company",
    "With {busy:all {copies} cores busy, a core|{copies} copies at once, each} loses up to {loss} "
    "of its speed[, and half of {n} programs {no_more}][; {alike:as much as anywhere|most} in "
    "{program}: {cause}.]",
    weight=0.65,
)
NO_MORE = Template("depth/half", "no more than {loss}")
NOTHING = Template("depth/half", "nothing beyond chance")

# Kinds of cores.
KINDS = FindingTemplate(
    "cores/kinds",
    "The usable cores are of {n} kinds: {kinds:,}. Ranks take the fastest first: the rate of one "
    "core is that of kind {first}, and rates and bounds of more cores than it has are of a mix of "
    "kinds: no parallel efficiency is reported[; of the launches ran {launches:,}].",
    severity="note",
    remedy="{remedies:;}",
)
KIND = Template("cores/kind", "{n} of kind {kind}")
RAN_ON = Template("cores/ran on", "{n} on {kinds:and}")
ALONE = Template(
    "cores/alone", "for the rates of kind {kind} alone, evaluate with taskset -c {cpus}"
)

SIDE_BY_SIDE = Template(
    "cores/side by side", "where kinds run side by side, equal parts wait for the slowest"
)

# Toolchains.
WRONG = SentenceTemplate(
    "toolchains/wrong",
    "{n:combination} of program and toolchain {n:=yields|yield} wrong results, whose speed does "
    "not count: {combinations:; 3}.",
    weight=0.7,
)
WRONG_IN = Template("toolchains/wrong in", "{combination} ({failure})")
UNBUILT = SentenceTemplate(
    "toolchains/unbuilt", "{n:combination} did not compile: {combinations:, 3}.", weight=0.6
)
MEANS = SentenceTemplate(
    "toolchains/means",
    "Over [the {first.part} of ][{first.n:program}, {first.toolchain} is {of_first}][; "
    "{last.toolchain}, over the same, is {of_last}].",
    weight=0.6,
)
_AS_FAST = "as fast[ as {base} in the geometric mean]"
MEAN = Template("toolchains/mean", "{ratio:[.2f]} times " + _AS_FAST)
SAME_MEAN = Template("toolchains/mean", _AS_FAST + " (no difference that these programs can show)")
_FIELD = (
    " {one.benchmark}: with {one.toolchain} it is[ in its {one.part}] {ratio:[.2f]} times as fast "
    "as {base}."
)
GAIN = SentenceTemplate(
    "toolchains/gain",
    "{alike:One of those that gain|What gains} most by a toolchain is" + _FIELD,
    weight=0.5,
)
LOSS = SentenceTemplate(
    "toolchains/loss", "{alike:One of those that lose|What loses} most is" + _FIELD, weight=0.4
)
ACCURACY = SentenceTemplate(
    "toolchains/accuracy",
    "Accuracy differs most in {one.benchmark}, {check}: {least:.2g} with {best} and {most:.2g} "
    "with {worst}.",
    weight=0.4,
)
