"""Sentences about programs: where their time goes, and how they scale over cores and nodes."""

from __future__ import annotations

from heorot.analyse.templates.template import (
    AttributionTemplate,
    FindingTemplate,
    SentenceTemplate,
    Template,
)

# Contention of copies, and its cause.
COPIES = AttributionTemplate(
    "explain/copies",
    "Each of {ranks} copies of {program} loses {loss} of its speed if they run at once[: they "
    "share {level} alone][: {cause}].",
    rule="copies lose more than {least:.0%}",
    brief="Each of {ranks} copies of {program} loses {loss} of its speed if they run at once.",
)
CHANCE = Template("explain/cause", "within the noise")
SHARED = Template("explain/cause", "shared caches and memory")
_FEEDS = "gives each copy {part:value}, and one copy alone uses {drawn:value}"
BANDWIDTH = Template("explain/cause", "{level} " + _FEEDS)
CACHES = Template(
    "explain/cause",
    "its {size:binary} fit {level_alone} alone, but {level} with others, which " + _FEEDS,
)
WAITING = Template(
    "explain/cause",
    "the load latency of {level} is {among:value} under load, {alone:value} alone",
)
CLOCK = Template(
    "explain/cause",
    "the core clock is {among:value} with as many cores busy, {alone:value} alone",
)
UNEXPLAINED = Template(
    "explain/cause",
    "{looked:and} would cost less; another resource is shared, or other tenants use it",
)

OVER = Template("explain/over", "over {size:binary} from {home}")

# Ranks times threads.
SPLIT = Template("explain/split", "{row.ranks}{row.ranks:= rank|} x {row.threads:thread}")
_COST = (
    "[{free:; no step to more threads lowers the rate beyond the intervals|}][; threads begin to "
    "cost at {at} cores, where {many} reach {kept} of the rate of {few}]."
)
SPLITS_ALIKE = AttributionTemplate(
    "explain/splits",
    "{problem} is equally fast on {cores} cores, within the intervals, with {splits:and}" + _COST,
)
BEST_SPLIT = AttributionTemplate(
    "explain/splits",
    "{problem} is fastest on {cores} cores with {best}[, as fast with {alike:or}][; {worst} "
    "reaches {reached} of that]" + _COST,
)

# Phases.
LOSS = AttributionTemplate(
    "explain/loss",
    "On {one.ranks} ranks{one.threads:=| of {one.threads} threads}{one.nodes:=| on {one.nodes} "
    "nodes} {program} spends {first}[{comma:,|} and {second}][; {other}{less:, with less to "
    "compute for each message,|} loses {other_loss:2}].",
    rule="at least {least:.0%} of the time is lost",
    brief="On {one.ranks} ranks{one.nodes:=| on {one.nodes} nodes} {program} spends {first}.",
)
SPENT_FIRST = Template(
    "explain/spent",
    "{share:2} of its time {how}",
    brief="{share:2} of its time {how}",
)
SPENT = Template("explain/spent", "{share:2} {how}")
WAITING_FOR_SLOWEST = Template("explain/how", "waiting for the slowest rank")
COMMUNICATING = Template(
    "explain/how", "communicating[, most of it {most}][, the largest part {largest}]"
)

# Energy.
ENERGY = SentenceTemplate(
    "explain/energy",
    "{alike:One of the highest energy efficiencies|The highest energy efficiency} is {value} "
    "(flop/s per watt of whole hosts) by {program} on {value.cores:one core|cores}{value.nodes:=| "
    "of {value.nodes} nodes}[{is_peak:, the FMA peak itself|}][; the FMA peak has {peak}].",
    weight=0.5,
    brief="{alike:One of the highest energy efficiencies|The highest energy efficiency} is {value} "
    "by {program} on {value.cores:one core|cores}.",
)

# Ranks and hosts that lag.
_CHANCE = "its ranks are alike with a probability of at most {false:.0%}"
SLOW_HOST = AttributionTemplate(
    "explain/straggler",
    "Of {ranks} simultaneous copies of {program} one on {who} was the slowest in {often:2} of the "
    "samples; the copies there take {behind:2} longer than the median of the others.",
    rule=_CHANCE,
    brief="Of {ranks} copies of {program} those on {who} take {behind:2} longer than the median of "
    "the others.",
)
SLOW_COPY = AttributionTemplate(
    "explain/straggler",
    "Of {ranks} simultaneous copies of {program} that of {who} was the slowest in {often:2} of the "
    "samples, {behind:2} behind the median of the others.",
    rule=_CHANCE,
    brief="Of {ranks} copies of {program} that of {who} is {behind:2} behind the median of the "
    "others.",
)
SLOW_RANK = AttributionTemplate(
    "explain/straggler",
    "On {ranks} ranks of {program} {is_host:a rank on |}{who} computed longest in {n} of "
    "{launches} launches; {is_host:the ranks there|it} took {behind:2} longer than the median of "
    "the others.",
    rule=_CHANCE,
    brief="On {ranks} ranks of {program} {is_host:a rank on |}{who} computes {behind:2} longer "
    "than the median of the others.",
)

# More cores, larger problems.
SATURATED = AttributionTemplate(
    "explain/saturated",
    "{problem} ({way}) is {gained:times as fast on {many.cores} cores as on {few.cores}}: it is "
    "saturated at {few.cores}.",
    rule="the step brings less than {least:.0%} of what its cores could",
    brief="{problem} is saturated at {few.cores} cores: it is {gained:times as fast on "
    "{many.cores} cores}.",
)
NO_CACHE = Template(
    "explain/reason", "more than the cores explain, and no cache that the problem began to fit"
)
TAKES = Template("explain/reason", "{what} takes {share:2} of the time")
COPIES_LOSE = Template(
    "explain/reason", "copies that do not communicate lose {lost} at once as well"
)
BEGAN_TO_FIT = Template(
    "explain/reason",
    "its {size:binary} fit the {cache}s of {many} cores ({room:binary}), not that of {few} "
    "({before:binary})",
)
FITS_ON_NODES = Template(
    "explain/reason",
    "its {size:binary} fit the {cache}s of {many:node} ({room:binary}), not those of {few:one|} "
    "({before:binary})",
)
SIZES = AttributionTemplate(
    "explain/sizes",
    "On {row.cores:one core|cores} {problem} runs at {rate} times the rate of {smaller}[: "
    "{reason}].",
    brief="On {row.cores:one core|cores} {problem} runs at {rate} times the rate of a smaller "
    "problem.",
)
OTHER_LEVEL = Template(
    "explain/reason",
    "its {size:binary} are resident in {home}, the {small_size:binary} of {smaller} in "
    "{small_home}",
)
COMMUNICATES_MORE = Template(
    "explain/reason", "communication takes {share:2} of its time, {before:2} with {smaller}"
)

# Processor time.
RANKS = Template(
    "explain/layout",
    "{row.ranks} {row.is_star:copies|ranks}{row.threads:=| of {row.threads} threads}",
)
ONE_RANK = Template("explain/layout", "{row.threads:one rank|threads}")
SYSTEM_SHARE = Template("explain/system share", "{share:2} on {layout}")
SYSTEM_SHARES = AttributionTemplate(
    "explain/system shares", "System share of the processor time of {program}: {shares:,}."
)
IN_THE_SYSTEM = FindingTemplate(
    "explain/in the system",
    "{share:2} of the processor time of {program} on {layout} was system time[; more than "
    "{least:.0%} in {others:other program}]",
    severity="note",
    remedy="find the system calls: strace -f -c, or perf trace -s, before the program in its job "
    "script",
    columns=("program", "case", "on", "system share"),
)

# Several nodes.
LONGER = Template("spread/longer", "{problem} {ratio}[{unit: times as long|}]")
AS_LONG = Template(
    "spread/as long", "{problems:and} as long (no difference that {launches:launch} can show)"
)
BY_THREADS = SentenceTemplate(
    "spread/threads",
    "On {row.nodes} nodes[ ({network})][, one rank of {row.threads} threads on each takes, "
    "against {row.threads} ranks: {programs:,}][; {faster:and} {n_faster:=is|are} faster with "
    "threads].",
    weight=0.45,
)
COMPUTING_LONGER = Template(
    "spread/reason", "computing itself takes {longer} times as long{share: as its share|}"
)
SHARE_GREW = Template("spread/reason", "{what} takes {share:2} of the time, against {before:2}")
SHRANK = Template("spread/reason", "{what} takes {ratio} times as long")
LESS_THAN_ITS_SHARE = Template(
    "spread/reason", "computing takes {ratio} times as long as its share"
)
UNEXPLAINED_GAIN = Template("spread/reason", "more than the nodes explain")
