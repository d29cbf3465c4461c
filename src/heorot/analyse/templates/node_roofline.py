"""Sentences about the roofline of a node, its core types, and toolchains."""

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
_PEAK = "reaches {of_peak} of peak"
OF_PEAK = Template("depth/place", _PEAK)
BY_UNITS = Template("depth/place", _PEAK + " and is compute-bound ({intensity:value})")
BY_UNITS_IN_PART = Template(
    "depth/place", _PEAK + " and is partly compute-bound ({intensity:value})"
)
BY_OPERATIONS = Template(
    "depth/place",
    _PEAK + " at {intensity:value}: limited by dependencies or its instruction mix",
)
BANDWIDTH_BOUND = Template(
    "depth/place",
    _PEAK + " and is {partly:partly |}bandwidth-bound: {of_bound} of the roofline "
    "({intensity:value}, {whose})",
    rule="{least:.0%} of the bound or more",
    brief="reaches {of_peak} of peak and {of_bound} of the roofline",
)
NEITHER = Template(
    "depth/place",
    _PEAK + " and {of_bound} of the roofline ({intensity:value}, {whose}): {reason}",
)
EXTENT = Template("depth/whose", "{extent:binary}[ from {home}]")
UNKNOWN_EXTENT = Template("depth/whose", "working set of unknown size[, from {home}]")
WAITS = Template(
    "depth/reason", "latency-bound, at no more than {times:.0f} times the rate of dependent loads"
)
OPERATIONS_WAIT = Template("depth/reason", "limited by latency or dependencies")
BALANCE = SentenceTemplate(
    "depth/balance",
    "Machine balance of {cores:one core|cores}: {per_double} per double from {level}[. By level: "
    "{parts:;}].",
    weight=0.7,
    brief="Machine balance of {cores:one core|cores}: {per_double} per double from {level}.",
)
BALANCE_OF = Template("depth/balance of", "{cores:one core|cores} {levels:and}")
BALANCE_FROM = Template("depth/balance from", "{balance} from {level}")
CLEAREST = SentenceTemplate(
    "depth/clearest",
    "On one core {program} {place}.",
    weight=0.6,
    brief="On one core {program} {place}.",
)
LIMITS = SentenceTemplate("depth/limits", "Of {n:kernel} on one core, {groups:and}.", weight=0.3)
OF_ROOF = Template(
    "depth/group",
    "{n} {n:=is|are} {units:compute-bound|bandwidth-bound} ({least:value 2} or more of the "
    "{units:peak|roofline}: {programs:, 3})",
)
OF_NEITHER = Template("depth/group", "{n} {n:=is|are} neither ({programs:, 3})")
PREDICTIONS = SentenceTemplate(
    "depth/promises", "Compared with unblocked kernels, {programs:and}.", weight=0.5
)
PREDICTION = Template("depth/promise", "{program} runs {times} times as fast ({kernels:and})")
CONTENTION = SentenceTemplate(
    "depth/company",
    "Contention with {busy:all {copies} cores busy|{copies} copies at once}: a core loses up to "
    "{loss}[, half of {n} programs {no_more}]. {alike:One of the largest losses|The largest loss} "
    "is that of {program}: {cause}.",
    weight=0.65,
    brief="Contention with {busy:all {copies} cores busy|{copies} copies at once}: a core loses up "
    "to {loss} of its speed[, in {program}].",
)
NO_MORE = Template("depth/half", "at most {loss}")
NOTHING = Template("depth/half", "nothing beyond noise")

# Core types.
KINDS = FindingTemplate(
    "cores/kinds",
    "The usable cores are of {n} kinds: {kinds:,}. Ranks are placed on the fastest first: "
    "single-core rates are those of kind {first}. Rates and bounds of more cores mix kinds; no "
    "parallel efficiency is reported[. Launches ran {launches:,}].",
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
    "{n:combination} of program and toolchain {n:=fails|fail} verification, {n:=its|their} times "
    "do not count: {combinations:; 3}.",
    weight=0.7,
    brief="{n:combination} of program and toolchain {n:=yields|yield} wrong results[: "
    "{combinations:; 1}].",
)
WRONG_IN = Template("toolchains/wrong in", "{combination} ({failure})")
UNBUILT = SentenceTemplate(
    "toolchains/unbuilt",
    "{n:combination} did not compile: {combinations:, 3}.",
    weight=0.6,
    brief="{n:combination} of program and toolchain did not compile.",
)
MEANS = SentenceTemplate(
    "toolchains/means",
    "Over [the {first.part} of ][{first.n:program}, {first.toolchain} is {of_first}][; "
    "{last.toolchain} is {of_last}].",
    weight=0.6,
    brief="Over the same programs, {first.toolchain} is {of_first}[; {last.toolchain} is "
    "{of_last}].",
)
_AS_FAST = "as fast[ as {base} in the geometric mean]"
MEAN = Template("toolchains/mean", "{ratio:[.2f]} times " + _AS_FAST)
SAME_MEAN = Template("toolchains/mean", _AS_FAST + " (no significant difference)")
_FIELD = (
    " {one.benchmark}: with {one.toolchain} it is[ in its {one.part}] {ratio:[.2f]} times as fast "
    "as {base}."
)
GAIN = SentenceTemplate(
    "toolchains/gain",
    "{alike:One of the largest gains|The largest gain} by a toolchain is that of" + _FIELD,
    weight=0.5,
    brief="{alike:One of the largest gains|The largest gain} by a toolchain is that of "
    "{one.benchmark}: with {one.toolchain} {ratio:.2f} times as fast as {base}.",
)
LOSS = SentenceTemplate(
    "toolchains/loss",
    "{alike:One of the largest losses|The largest loss} by a toolchain is that of" + _FIELD,
    weight=0.4,
)
ACCURACY = SentenceTemplate(
    "toolchains/accuracy",
    "Accuracy differs most in {one.benchmark}, {check}: {least:.2g} with {best} and {most:.2g} "
    "with {worst}.",
    weight=0.4,
)
