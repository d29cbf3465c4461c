"""Sentences about nodes: outliers, differences, and the networks between them."""

from __future__ import annotations

from heorot.analyse.templates.template import FindingTemplate, SentenceTemplate, Template

# False-alarm rate, over all quantities of all nodes and pairs of a run together.
_RATE = "false alarms over all of them: at most one run in {runs:.0f}"
_RULE = "slower than nodes with equal hardware by {lag:.0%} or more and beyond chance; " + _RATE
_IN = "{n_slow} of {one.n_metrics:quantity}"

DISTURBED = (
    "another load ran on it all the time: find its processes, then measure again; the hardware may "
    "be sound"
)
LINK = "check its link: cable, speed and errors of the port, the switch behind it"
NODE = (
    "check its clock, temperature, memory and other processes; until then keep it out of parallel "
    "jobs, which wait for their slowest node"
)
_COLUMNS = ("program", "case", "quantity", "of the median", "z")
SLOW_IN_ONE = FindingTemplate(
    "nodes/slow",
    "{noun} {one.name} is slow: {one.of_pairs:its pairs reach|it reaches} {worst.speed:%} of the "
    "median of the {one.n_equals:{noun}} of its kind in {n_slow} of {one.n_metrics:quantity}, "
    "{quantity} (z = {worst.z:.0f}; false alarms over all of them: at most one run in "
    "{runs:.0f})[; {passing:program} over several nodes ran on it]",
    remedy=NODE,
    columns=_COLUMNS,
    rule=_RULE,
)
SLOW = FindingTemplate(
    "nodes/slow",
    "{noun} {one.name} is slow: in {n_slow} of {one.n_metrics:quantity} {one.of_pairs:its pairs "
    "reach|it reaches} less than {least:.0%} of the median of the {one.n_equals:{noun}} of its "
    "kind, {speed:value} at the median of these (z = {one.z:.0f}; false alarms over all of them: "
    "at most one run in {runs:.0f}), among them {worst.speed:%} in {quantity}[; "
    "{passing:program} over several nodes ran on it]",
    remedy=NODE,
    columns=_COLUMNS,
    rule=_RULE,
)
MORE_SLOW = FindingTemplate(
    "nodes/more slow",
    "{n} more nodes or pairs are slower than those with equal hardware",
    remedy="check what they share, such as a switch, a rack or settings",
)
_APART = (
    "{one.slower} is slower than {one.faster} in "
    + _IN
    + ", by {lag:value} at the median of these and by "
    "{worst:value} in {quantity} (" + _RATE + "); two nodes do not show which one is wrong"
)
APART = FindingTemplate(
    "nodes/apart",
    "{one.is_pair:pair |}" + _APART,
    remedy="measure a third node of their kind: two nodes do not show which one is wrong",
)
APART_IN_VERDICT = SentenceTemplate(
    "nodes/apart",
    "{one.is_pair:Pair |}{one.slower} is slower than {one.faster} in {n_slow} of "
    "{one.n_metrics:quantity}, by {lag:value} at the median of these and by {worst:value} in "
    "{quantity} (false alarms over all of them: at most one run in {runs:.0f}); two nodes do "
    "not show which one is wrong.",
    weight=0.8,
    brief="{one.is_pair:Pair |}{one.slower} is slower than {one.faster} in {n_slow} of "
    "{one.n_metrics:quantity}.",
)
OTHERS_WITHIN = Template("nodes/spread", "the other nodes lie within {within:% 2}")
MOST_WITHIN = Template("nodes/spread", "{most:.0%} of the nodes lie within {within:% 2}")
SLOWEST = SentenceTemplate(
    "nodes/slowest",
    "{alike:One of the|The} slowest of {n_nodes} nodes, {one.name}, reaches {worst.speed:%} of "
    "the median of its kind in {quantity}{one.disturbed: while something else runs on it|} and is "
    "slow in {n_slow} of {one.n_metrics:quantity}; over all of them {spread}.",
    weight=0.95,
    brief="{alike:One of the|The} slowest of {n_nodes} nodes, {one.name}, reaches {worst.speed:%} "
    "of the median of its kind[ in {quantity}].",
)
ONE_OF_SEVERAL = Template(
    "nodes/one of several",
    "{one.name} ({one.speed:%} of the median in {n_slow} of {one.n_metrics:quantity})",
)
SEVERAL = SentenceTemplate(
    "nodes/several slow",
    "Of {n_nodes} nodes {n} are slower than equal hardware: {nodes:, 4}.",
    weight=0.8,
    brief="{n} of {n_nodes} nodes are slower than equal hardware[: {nodes:, 2}].",
)
SLOW_PAIR = SentenceTemplate(
    "nodes/slow pair",
    "Of {study.n_pairs} pairs of nodes {one.name} is slow though neither node is: {quantity} "
    "reaches {worst.speed:%} of the median[; so are {others:other pair}].",
    weight=0.8,
    brief="Pair {one.name} is slow though neither node is: it reaches {worst.speed:%} of the "
    "median[ in {quantity}].",
)
TWO_ALIKE = SentenceTemplate(
    "nodes/alike",
    "In none of {study.n_metrics:quantity} do the two nodes differ by {lag:.0%} or more beyond "
    "what their launches do (false alarms over all of them: at most one run in {runs:.0f}).",
    weight=0.6,
    brief="The two nodes differ in none of {study.n_metrics:quantity} beyond what their launches "
    "do.",
)
ALIKE = SentenceTemplate(
    "nodes/alike",
    "None of {n_nodes} nodes is slower than equal hardware beyond chance; over "
    "{study.n_metrics:quantity} they reach {least:%} ({node}) or more of the median, {spread} "
    "(false alarms over all of them: at most one run in {runs:.0f}).",
    weight=0.6,
    brief="None of {n_nodes} nodes is slower than equal hardware beyond chance, over "
    "{study.n_metrics:quantity}.",
)

BELOW_QUOTED = FindingTemplate(
    "nodes/below quoted",
    "{n:node} of {network.n_found} negotiated less on {network.name} ({network.interface}) than "
    "the {quoted:value} that were quoted, {found:value} at least: {network.slower:, 3}",
    remedy="check cable, port and switch of these nodes, and the value in the site file",
)
UNCONNECTED = FindingTemplate(
    "nodes/unconnected",
    "{n:node} without the interface {network.interface} of {network.name}: {network.missing:, 3}",
    remedy="check its name in the site file, and the adapters of these nodes",
)
DIFFERENT = {
    "peers": FindingTemplate(
        "nodes/different",
        "{n:node} of {one.n_nodes} {n:=differs|differ} from most others in {one.fact}[ of "
        "{part}][: {nodes:, 3}][ ({value} instead of {one.expected})]",
        remedy="",
        columns=("of", "nodes", "have", "most others have"),
    ),
    "maximum": FindingTemplate(
        "nodes/below capability",
        "the {one.fact}[ of {part}][ is slower than its adapter is capable of on {n:node} of "
        "{one.n_nodes}][: {nodes:, 3}][ ({value} instead of {one.expected})]",
        remedy="",
        columns=("of", "nodes", "have", "is capable of"),
    ),
    "clock": FindingTemplate(
        "nodes/off time",
        "{n:node} of {one.n_nodes} {n:=does|do} not keep the time of the job[: {nodes:, 3}][ "
        "({value})]",
        remedy="",
        columns=("of", "nodes", "have", "should have"),
    ),
}
ELSEWHERE = FindingTemplate(
    "nodes/other interface",
    "traffic between nodes over {quoted.name} in {n_steps:step} with {toolchain} used "
    "{carrier.interface}, which carried {carried:value}, and not {quoted.interface}, which carried "
    "{named:value}",
    remedy="do not use what was measured of {quoted.name}; check its interface in the site file, "
    "and set there as `environment` what makes the MPI use it",
)
