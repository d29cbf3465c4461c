"""Sentences about messages: between two ranks, among all, over networks, by libraries."""

from __future__ import annotations

from heorot.analyse.templates.template import FindingTemplate, SentenceTemplate, Template

INSIDE = Template("messages/place", "inside a node")
BETWEEN = Template("messages/place", "between {nodes} nodes")
BETWEEN_TWO = Template("messages/place", "between two nodes")

MESSAGE = SentenceTemplate(
    "messages/message",
    "Latency of {bytes:value} messages {place}: {time} ({time.stack})[. Bandwidth at "
    "{size:binary}: {rate}][, {share} of the line rate][. From {jump_from:binary} to "
    "{jump_to:binary} the time grows {jump} times][. n1/2 is {half}][. Between nodes "
    "{bytes:value} take {over_inside:times as long as inside a node}].",
    weight=0.9,
    brief="Latency of short messages {place}: {time}[; bandwidth of long ones: {rate}].",
)
NETWORKS = SentenceTemplate(
    "messages/networks",
    "Latency of {bytes:value} messages: {fast} over {fast.stack.network}, {slow} over "
    "{slow.stack.network}[. Bandwidth at {size:binary}: {fast_rate} and {slow_rate}].",
    weight=0.8,
    brief="Latency of short messages: {fast} over {fast.stack.network}, {slow} over "
    "{slow.stack.network}.",
)
TOOLCHAINS = SentenceTemplate(
    "messages/toolchains",
    "Latency of {bytes:value} messages[ {place}][ over {network}]: {fast} with {fast.stack}, "
    "{slow} with {slow.stack}.",
    weight=0.7,
    brief="Latency of short messages: {fast} with {fast.stack}, {slow} with {slow.stack}.",
)
RATE = SentenceTemplate(
    "messages/rate",
    "Message rate of {rate.point[pairs]} pairs of ranks {place}, {bytes:value}: {rate}[, "
    "{gain:times as much as one pair}] ({rate.stack}).",
    weight=0.6,
    brief="Message rate of pairs of ranks {place}: {rate}[, {gain:times as much as one pair}].",
)
GROWTH = SentenceTemplate(
    "messages/growth",
    "Scaling with ranks: {costs:;} ({fewest} to {most} ranks, {spread}, {stack}).",
    weight=0.5,
)
COST = Template("messages/cost", "{operation} of {size:binary} takes {time} longer per {step}")
ON_EACH_NODE = Template("messages/spread", "{per_node} on each node")
LIBRARIES = SentenceTemplate(
    "messages/libraries",
    "No MPI library is fastest for all {operations} {place} ({first.ranks} ranks): {short} up to "
    "{below:binary}, {long} from {above:binary}. {alike:One of the largest differences|The largest "
    "difference} is at {at:binary}, where {slow.stack} takes {gain:times as long}.",
    weight=0.5,
    brief="No MPI library is fastest for all {operations} {place}.",
)
INSIDE_AND_BETWEEN = SentenceTemplate(
    "messages/inside and between",
    "Messages between nodes compared with inside one: {first:binary} take {first_gain:times as "
    "long}, {last:binary} {last_gain:times as long} ({stack})[. From {alike:binary} they agree "
    "within {within:.0%}].",
    weight=0.55,
    brief="Between nodes a message of {first:binary} takes {first_gain:times as long as inside "
    "one}.",
)
ORDERS = SentenceTemplate(
    "messages/orders",
    "Rank order: in the natural ring of {natural.ranks} ranks each sends {natural}, in random "
    "rings {random} of that ({natural.stack}). Place neighbouring ranks on one node.",
    weight=0.55,
    brief="Rank order: in random rings each rank sends {random} of what it sends in the natural "
    "ring.",
)
PER_NODE = SentenceTemplate(
    "messages/ranks per node",
    "Bisection of {many.nodes} nodes: one rank per node gets {one}, each of {many.per_node} ranks "
    "per node {gain:times as much} ({one.stack}).",
    weight=0.6,
    brief="Bisection of {many.nodes} nodes: each of {many.per_node} ranks per node gets "
    "{gain:times as much as one rank per node}.",
)

OF_SIZES = Template("messages/sizes", "of {first:binary}[ to {last:binary}]")
JUMPS = FindingTemplate(
    "messages/jumps",
    "{jumps:;}[. The eager limit of the library, header included, is {eager:binary} unless "
    "{setting} is set; longer messages use rendezvous][ ({row.case}, {row.stack})]",
    severity="note",
    remedy="the documentation of the library names the setting of its eager limit",
)
JUMP = Template(
    "messages/jump",
    "from {low:binary} to {high:binary} the time of a message {place} grows {ratio} times",
)
_AGAIN = "and measure again: times near the limit change"
OTHER_LIMITS = "try other limits: {options}, " + _AGAIN
SLOWER_THAN_PARTS = FindingTemplate(
    "messages/slower than its parts",
    "{operation} {sizes} among {row.ranks} ranks ({row.case}, {row.stack}) violates a performance "
    "guideline: at {size:binary} it takes {times} times as long as {parts:and}{together: "
    "together|}, with the same result",
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
    "an allreduce by sends and receives is faster than MPI_Allreduce ({library}, its own choice of "
    "algorithm) for vectors {sizes} among {row.ranks} ranks ({row.case}, {row.stack}): at "
    "{size:binary} MPI_Allreduce takes {ratio} times as long as the algorithm '{ours.region}'",
    remedy="",
    rule="faster by more than {least:.0%}",
)
PATTERNS = FindingTemplate(
    "messages/patterns",
    "between {best.nodes} nodes ({best.stack}) some communication patterns reach little of the "
    "line rate; the best, {pattern}, reaches {share}: {others:,}",
    severity="note",
    remedy="expect these rates, not the line rate, of programs with such patterns",
    rule="less than {far:.0%} of the best pattern",
)
PATTERN = Template("messages/pattern", "{pattern} {share}")
