"""What is said of messages: between two, among all, over networks, by libraries."""

from __future__ import annotations

from heorot.analyse.templates.template import FindingTemplate, SentenceTemplate, Template

INSIDE = Template("messages/place", "inside a node")
BETWEEN = Template("messages/place", "between {nodes} nodes")
BETWEEN_TWO = Template("messages/place", "between two nodes")

MESSAGE = SentenceTemplate(
    "messages/message",
    "A message of {bytes:value} {place} takes {time} with {time.stack}[, and one of {size:binary} "
    "travels at {rate}][, {share} of the line rate][; from {jump_from:binary} to {jump_to:binary} "
    "its time grows {jump} times][; half of the largest rate takes a message of {half}][; over "
    "the network {bytes:value} take {over_inside:times as long as inside a node}].",
    weight=0.9,
)
NETWORKS = SentenceTemplate(
    "messages/networks",
    "The network matters: a message of {bytes:value} takes {slow} over {slow.stack.network}, "
    "{gain:times as long as over {fast.stack.network}} ({fast})[, and one of {size:binary} "
    "travels {rates:times as fast}].",
    weight=0.8,
)
TOOLCHAINS = SentenceTemplate(
    "messages/toolchains",
    "The toolchain matters: a message of {bytes:value}[ {place}][ over {network}][ takes {slow} "
    "with {slow.stack}, {gain:times as long as with {fast.stack}} ({fast}).]",
    weight=0.7,
)
RATE = SentenceTemplate(
    "messages/rate",
    "{rate.point[pairs]} pairs of ranks {place} together send messages of {bytes:value} at "
    "{rate}[, {gain:times as many as one pair}][ ({rate.stack}).]",
    weight=0.6,
)
GROWTH = SentenceTemplate(
    "messages/growth", "{costs:,} ({fewest} to {most} ranks, {spread}, {stack}).", weight=0.5
)
COST = Template(
    "messages/cost", "{operation} of {size:binary} takes {time} longer with every {step}"
)
ON_EACH_NODE = Template("messages/spread", "{per_node} on each node")
LIBRARIES = SentenceTemplate(
    "messages/libraries",
    "No MPI library is the fastest for all {operations} {place} ({first.ranks} ranks): up to "
    "{below:binary} {short} is faster than {long}, from {above:binary} on slower; they differ "
    "{alike:as much as anywhere|most} at {at:binary}, where {slow.stack} takes {gain:times as "
    "long}.",
    weight=0.5,
)
INSIDE_AND_BETWEEN = SentenceTemplate(
    "messages/inside and between",
    "Between nodes a message of {first:binary} takes {first_gain:times as long as inside one}, "
    "and one of {last:binary} {last_gain:times as long} ({stack})[; from {alike:binary} on they "
    "are within {within:.0%}].",
    weight=0.55,
)
ORDERS = SentenceTemplate(
    "messages/orders",
    "The order of ranks matters: in a ring of {natural.ranks} ranks in their order each sends "
    "{natural}, in rings of random order {random} of it ({natural.stack}); neighbours of an "
    "application belong on one node.",
    weight=0.55,
)
PER_NODE = SentenceTemplate(
    "messages/ranks per node",
    "Where half of the ranks meet the other half over {many.nodes} nodes, each of {many.per_node} "
    "ranks of a node gets {gain:times as much as a single one}, which gets {one} ({one.stack}).",
    weight=0.6,
)

OF_SIZES = Template("messages/sizes", "of {first:binary}[ to {last:binary}]")
JUMPS = FindingTemplate(
    "messages/jumps",
    "{jumps:;}[; the library's own limit for sending at once, header included, is {eager:binary} "
    "unless {setting} is set: longer messages wait until the receiver is ready][ ({row.case}, "
    "{row.stack})]",
    severity="note",
    remedy="the library's documentation names what sets its limit for sending at once (eager)",
)
JUMP = Template(
    "messages/jump",
    "from {low:binary} to {high:binary} the time of a message {place} grows {ratio} times",
)
_AGAIN = "and measure again: sizes near it gain or lose"
OTHER_LIMITS = "try other limits: {options}, " + _AGAIN
SLOWER_THAN_PARTS = FindingTemplate(
    "messages/slower than its parts",
    "{operation} {sizes} among {row.ranks} ranks ({row.case}, {row.stack}) is slower than need "
    "be: at {size:binary} it takes {times} times as long as {parts:and}{together: together|}, "
    "which give the same result",
    remedy="",
    rule="slower by more than {tolerance:.0%} beyond the intervals",
)
SHORTER_TAKES_LONGER = FindingTemplate(
    "messages/shorter takes longer",
    "{operations:,} among {row.ranks} ranks ({row.case}, {row.stack}) {n:=takes|take} longer for "
    "a shorter message than for the next longer one, up to {ratio} times",
    remedy="",
    columns=("operation", "shorter", "longer", "times as long"),
)
OWN_SUM = FindingTemplate(
    "messages/own sum",
    "a sum over ranks of one's own, by sends and receives, is faster than MPI_Allreduce for "
    "vectors {sizes} among {row.ranks} ranks ({row.case}, {row.stack}): at {size:binary} the "
    "library takes {ratio} times as long as the version '{ours.region}'",
    remedy="",
    rule="faster by more than {least:.0%}",
)
PATTERNS = FindingTemplate(
    "messages/patterns",
    "between {best.nodes} nodes ({best.stack}) some patterns use little of the line, of which "
    "{pattern} reaches {share}: {others:,}",
    severity="note",
    remedy="expect these rates of programs with such patterns, not that of the line",
    rule="less than {far:.0%} of what the best one reaches",
)
PATTERN = Template("messages/pattern", "{pattern} {share}")
