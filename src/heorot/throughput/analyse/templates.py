"""What is said of a day of batch work."""

from __future__ import annotations

from heorot.analyse.templates.template import FindingTemplate, SentenceTemplate, Template
from heorot.model.analysis.claims import Claim, Quantity
from heorot.throughput.model.measures import Bound
from heorot.throughput.model.story import Interference, Missing

NOT_WATCHED = "whether others had them was not watched"

# Sentences of the verdict.
_WATCHED = "The queue was asked for others in {watched:percent} of the time."
WATCHED = SentenceTemplate("day/watched", _WATCHED)
OTHERS = SentenceTemplate(
    "day/others",
    "{parts:and}: bound, shares and simulations are of what was left.[ The queue was asked for "
    "others in {watched:percent} of the time.]",
    capital=True,
)
HELD = Template("day/held", "jobs of others held {others:percent} of the node time")
OUT = Template(
    "day/out",
    "{out:percent} {both:was|of the node time was} on nodes that were down or took no jobs",
)
NO_JOB = SentenceTemplate("day/account", "No job was scheduled.")
ACCOUNT = SentenceTemplate(
    "day/account",
    "{back_text}[; {missing:, 4}][; inside composite jobs {n_parts:program} did not end well "
    "({parts:, 4})][; it took {interventions:intervention} by hand].",
)
ALL_BACK = Template("day/back", "All {n} jobs that were submitted came back well")
SOME_BACK = Template("day/back", "{n:job} {n:=was|were} submitted and {back} came back well")
FEWER_BACK = Template("day/back", "Of {n:job} {submitted} were submitted and {back} came back well")
FATE = Template("day/fate", "[{one.part} of ]{one.label} {fate}{never: and never ran|}")
LENGTH = SentenceTemplate(
    "day/length",
    "The day took {use.makespan:duration}; {judged}. Jobs held nodes in "
    "{use.utilisation_held:percent} of the node time and had {use.utilisation_cores:percent} of "
    "the core time[, and programs ran in {use.utilisation_busy:percent} of it].",
)
EFFICIENT = Template(
    "day/bound",
    "no schedule of these jobs is shorter than {use.bound:duration} ({by}), so this one is "
    "{use.efficiency:percent} efficient",
)
GIVEN_TWICE = Template(
    "day/bound",
    "these jobs need {use.bound:duration} ({by}) if no {use.unit} is given twice at a time, so "
    "some were",
)
CORRECTED = SentenceTemplate(
    "day/corrected",
    "These totals lack work: {least:at least |}{lost:.3g} core hours that were not done, "
    "{share:percent} of all; with it the day would have taken {least:at least|about} "
    "{account.corrected_makespan:duration} instead of {makespan:duration}, if it fits as well as "
    "the rest.",
)
LARGEST = Template(
    "day/largest deviation",
    "largest deviation of a single job from its single-user time is "
    "{one.maximum_deviation:percent} ({one.worst})",
)
TOO_FEW = SentenceTemplate(
    "day/interference", "Too few runs alone to judge interference; the {largest}."
)
NOT_APART = SentenceTemplate(
    "day/interference",
    "Under load {n:={program} does not run|of {n} programs none runs} differently beyond chance; "
    "the {largest}.",
)
APART = SentenceTemplate(
    "day/interference",
    "Under load {apart} of {n:program} {apart:=differs from its single-user time|differ from "
    "their single-user times} beyond chance; {slowest} takes {ratio} as long. The {largest}.",
)
TIMES = Template("day/times", "{ratio:[.2f]} times")
WAITS = SentenceTemplate(
    "day/waits",
    "Jobs waited {median:durations} in the median and {wait.mean:duration} on average, one in "
    "twenty more than {wait.p95:duration}, the longest {wait.maximum:duration}[; their bounded "
    "slowdown is {slowdown:[.2f]} in the median].",
)
DOMINATING = SentenceTemplate(
    "day/dominating",
    "{most.name} takes {most.share:percent} of the node time{more:, more than any other|}[; were "
    "it {faster.factor:.6g} times faster, the day would take {faster.makespan:duration} "
    "({faster.change:change}, {way})].",
)
POLICIES = SentenceTemplate(
    "day/policies",
    "Simulated with the measured run times{left: on the nodes that others left|}, the same jobs "
    "take {policies:,}.",
)
POLICY = Template("day/policy", "{makespan:duration} under {policy} ({change:change})")
LOSS = SentenceTemplate(
    "day/loss",
    "Nodes were idle while jobs waited in {use.loss_any:percent} of the node time, and in "
    "{use.loss_fitting:percent} though a job waited that needed no more of them{unknown: (whether "
    "others had them was not watched)|}; {overtaking} of {n:job} overtook an earlier one.",
)
RESPONSES = SentenceTemplate("day/responses", "Beside the load {commands:, 4}.")
RESPONSE = Template(
    "day/response",
    "{one.name} answered in {median:durations} in the median and {times.p95:duration} at worst in "
    "{most:.0%} of cases[, on the empty system in {alone.median:duration}]",
)
ORDER = SentenceTemplate(
    "day/order",
    "The best order found for the same jobs ({best.name}) takes {best.makespan:duration} "
    "({change:change}).",
)

# Findings.
_JOBS = ("job", "serial", "why")
MISSING_JOB = FindingTemplate(
    "day/missing jobs", "{fate}", severity="error", remedy="", columns=_JOBS
)
MISSING_JOBS = FindingTemplate(
    "day/missing jobs",
    "{n:job} did not come back well: each {fate}",
    severity="error",
    remedy="",
    columns=_JOBS,
)
MISSING_PARTS = FindingTemplate(
    "day/missing parts",
    "{n:program} inside composite jobs did not end well",
    severity="error",
    remedy="the totals lack their work; look at the output of these jobs",
    columns=("job", "program", "what became of it", "why"),
)
COMPANY = FindingTemplate(
    "day/company",
    "{n:job} that asked for nodes of their own had company there",
    severity="error",
    remedy="look at how the batch system is told to give nodes to one job only",
    columns=("job", "company", "share of its time"),
)
BEYOND_LIMITS = FindingTemplate(
    "day/beyond limits",
    "{n:job} ran longer than allowed",
    remedy="limits that are not enforced make backfill plan with wrong ends",
    columns=("job", "limit", "ran"),
)
INTERFERENCE = FindingTemplate(
    "day/interference",
    "under load {one.name} takes {ratio} as long as alone; the largest deviation of one run is "
    "{one.maximum_deviation:percent} ({one.worst})",
    remedy="{slower:let it have its nodes to itself, or look at what shares them with it|}",
)
CROWDED = FindingTemplate(
    "day/crowded",
    "jobs had {most:.0f} cores at once, and there are {cores}",
    remedy="the batch system gives cores to several jobs, or a job uses more than it asked",
)
IDLE = FindingTemplate(
    "day/idle",
    "in {share:percent} of the node time nodes were idle though a job waited that needed no more "
    "of them{unknown:; whether others had them was not watched|}",
    remedy="is backfill on, how often does the scheduler look, do limits keep jobs off?",
)
BETWEEN_JOBS = FindingTemplate(
    "day/between jobs",
    "between two jobs of which the second already waited nodes were idle for {median:duration} in "
    "the median, {share:percent} of the node time in all",
    severity="note",
    remedy="look at prologue, epilogue and the interval of the scheduler",
)
UNUSED = FindingTemplate(
    "day/unused",
    "{n:node} never had a job",
    remedy="are they drained, down, or in no queue that was used?",
)
LATE = FindingTemplate(
    "day/late",
    "{n:job} came later than the schedule says, by {median:duration} in the median, "
    "{most:duration} at most[, each submission took {took:duration}]: not the load asked for",
    remedy="where the batch system takes jobs too slowly, stretch the schedule (--time-scale); "
    "after an interruption nothing need be done",
)
CLOCKS = FindingTemplate(
    "day/clocks",
    "{n:script} began before the batch system gave its nodes, {job} by {most:duration}: clocks "
    "differ",
    remedy="let all nodes take their time from one source",
)
TYPED_IN_VAIN = FindingTemplate(
    "day/typed in vain",
    "of {n:interactive command} {failed} did not end with exit code {code}; their times do not "
    "count",
    remedy="try them by hand on the empty system",
    columns=("command", "system", "typed", "failed"),
)
BY_HAND = FindingTemplate(
    "day/by hand",
    "somebody intervened by hand {n:time}",
    severity="note",
    remedy="with many users an order made by hand is no order: let priorities do it",
    columns=("job", "what"),
)
OTHER_TEST = FindingTemplate(
    "day/other test",
    "{n:job} of another run of Heorot ran meanwhile ({jobs:, 4}): each disturbed the other",
    remedy="run one after the other",
)
NOT_ALONE = FindingTemplate(
    "day/not alone",
    "while jobs ran alone, others held {share:percent} of the node time: single-user times are "
    "not those of an empty system",
    remedy="take them again when the system is empty (--alone-from DIR uses such times)",
)

# Tests side by side.
COMPARED = SentenceTemplate(
    "throughput/compared",
    "{what} {of_other:duration} on {other} and {of_first:duration} on {first}, {ratio:[.2f]} times "
    "as long; {judged}.",
)
STRETCHED = SentenceTemplate(
    "throughput/stretched",
    "Under load {program} takes {of_other:.2f} times as long as alone on {other} and "
    "{of_first:.2f} times on {first}; {judged}.",
)
BEYOND = Template("throughput/beyond", "more than tests of one system differ by")
ALIKE = Template("throughput/alike", "no difference that {n:test} of both can show")
NOT_JUDGED = Template("throughput/not judged", "not judged: {why}")
REPEATED = SentenceTemplate(
    "throughput/repeated",
    "{n:test} of {name} differ by up to {makespan:percent} in makespan[ and {wait:percent} in mean "
    "wait].",
)
INCOMPLETE = SentenceTemplate(
    "throughput/incomplete",
    "Of {n:job} of {name} {ok} came back well[, not {missing:, 4}][; {lost:.3g} core hours were "
    "not done, with them the makespan would be about {corrected:duration}].",
)
OTHER_WORK = SentenceTemplate(
    "throughput/other work", "The tests did not have the same work: {differing:and 4} differ."
)
DIFFERING = SentenceTemplate(
    "throughput/differing", "Beside the numbers {differing:and 4} {n:=differs|differ}."
)
NOTHING_DIFFERS = SentenceTemplate(
    "throughput/nothing differs",
    "Nothing else that is recorded differs: they may be tests of one system.",
)

FATES = {
    "failed": "failed",
    "timeout": "ran into its time limit",
    "node_fail": "lost a node",
    "rejected": "was rejected",
    "cancelled": "was cancelled",
    "vanished": "vanished",
    "unfinished": "has not ended",
    "lost": "never told its end",
    "skipped": "was left out",
    "absent": "is not there at all",
}
"""What is said of a job or a program that did not end well."""

BOUNDS: dict[Bound, str] = {
    "work": "all work on all processors",
    "late arrivals": "the work that came late",
    "longest job": "the job that ends last however early it starts",
}


def ratio_of(one: Interference) -> Claim:
    """How much longer a program takes, with the interval if there is one."""
    ratio = Quantity(median=one.ratio, low=one.low, high=one.high)
    return TIMES.claim(ratio=ratio)


def fate_of(one: Missing) -> Claim:
    """What became of a job or a program of a job, such as `adf15 was cancelled`."""
    ran = one.started or one.part or one.fate == "rejected"
    fate = FATES.get(one.fate, one.fate)
    return FATE.claim(one=one, fate=fate, never=not ran)
