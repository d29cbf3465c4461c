"""Sentences and findings about a throughput test."""

from __future__ import annotations

from heorot.analyse.templates.template import FindingTemplate, SentenceTemplate, Template
from heorot.model.analysis.claims import Claim, Quantity
from heorot.throughput.model.explanation import Interference, Missing
from heorot.throughput.model.measures import Bound

# Sentences of the verdict.
OTHERS = SentenceTemplate(
    "day/others", "{parts:and}; all shares are of what was left.", capital=True
)
HELD = Template("day/held", "jobs of other users were allocated {others:percent} of the node time")
OUT = Template("day/out", "down or drained nodes took {out:percent}{both:| of the node time}")
NO_JOB = SentenceTemplate("day/account", "No job was scheduled.")
ACCOUNT = SentenceTemplate(
    "day/account",
    "{back_text}{lacks_parts:, some without all their programs|}{by_hand:, with interventions by "
    "hand|}.",
)
ALL_BACK = Template("day/back", "All {n} submitted jobs completed")
SOME_BACK = Template("day/back", "{back} of {n:job} completed")
FEWER_BACK = Template("day/back", "{back} of {n:job} completed, and not all were submitted")
FINAL_STATE = Template("day/fate", "[{one.part} of ]{one.label} {fate}{never: and never started|}")
LENGTH = SentenceTemplate("day/length", "The makespan is {use.makespan:duration}{judged}.")
EFFICIENT = Template(
    "day/bound", ", with {use.efficiency:percent} efficiency against its lower bound ({by})"
)
GIVEN_TWICE = Template(
    "day/bound",
    ", below the lower bound of {use.bound:duration}: some {use.unit}s were allocated twice",
)
CORRECTED = SentenceTemplate(
    "day/corrected",
    "{least:At least |}{lost:.3g} core hours of work are missing; including them, the makespan "
    "is {least:at least|about} {account.corrected_makespan:duration}.",
)
LARGEST = Template(
    "day/largest deviation",
    "the largest deviation of one run is {one.maximum_deviation:percent} ({one.worst})",
)
TOO_FEW = SentenceTemplate(
    "day/interference", "Too few dedicated runs to judge contention; {largest}."
)
NOT_APART = SentenceTemplate(
    "day/interference",
    "Under load no run time differs significantly from its dedicated baseline; {largest}.",
)
APART = SentenceTemplate(
    "day/interference",
    "Under load {slowest} takes {ratio} its dedicated run time[; {more:other program|other "
    "programs} {more:=differs|differ} significantly, too].",
)
TIMES = Template("day/times", "{ratio:[.2f]} times")
WAITS = SentenceTemplate(
    "day/waits",
    "The median queue wait is {median:durations}, the longest {wait.maximum:duration}.",
)
DOMINATING = SentenceTemplate(
    "day/dominating",
    "{most.name} consumes {most.share:percent} of the node time{more:, more than any other|}.",
)
POLICIES = SentenceTemplate(
    "day/policies",
    "Simulated with the measured run times, {policy} has the shortest makespan: "
    "{makespan:duration} ({change:change}).",
)
LOSS = SentenceTemplate(
    "day/loss",
    "Nodes idled for {use.loss_any:percent} of the node time while jobs waited, for "
    "{use.loss_fitting:percent} while a waiting job fitted[; other users were {unwatched}].",
)
RESPONSE = SentenceTemplate(
    "day/responses",
    "Under load {one.name} responds in {median:durations}[, on the empty system in "
    "{alone.median:duration}].",
)
ORDER = SentenceTemplate(
    "day/order",
    "The best job order found ({best.name}) takes {best.makespan:duration} ({change:change}).",
)

# Findings.
_JOBS = ("job", "serial", "why")
MISSING_JOB = FindingTemplate(
    "day/missing jobs", "{fate}", severity="error", remedy="", columns=_JOBS
)
MISSING_JOBS = FindingTemplate(
    "day/missing jobs",
    "{n:job} did not complete: each {fate}",
    severity="error",
    remedy="",
    columns=_JOBS,
)
MISSING_PARTS = FindingTemplate(
    "day/missing parts",
    "{n:program} of composite jobs did not complete",
    severity="error",
    remedy="the totals lack their work; read the output of these jobs",
    columns=("job", "program", "final state", "why"),
)
COMPANY = FindingTemplate(
    "day/company",
    "{n:job} that requested exclusive nodes shared them with others",
    severity="error",
    remedy="check how the batch system is configured to allocate exclusive nodes",
    columns=("job", "co-located", "share of its time"),
)
BEYOND_LIMITS = FindingTemplate(
    "day/beyond limits",
    "{n:job} exceeded {n:=its|their} time limit",
    remedy="enforce time limits: backfill plans with them",
    columns=("job", "limit", "run time"),
)
INTERFERENCE = FindingTemplate(
    "day/interference",
    "under load {one.name} takes {ratio} its dedicated run time; the largest deviation of one run "
    "is {one.maximum_deviation:percent} ({one.worst})",
    remedy="{slower:allocate exclusive nodes to it, or find what contends with it|}",
)
CROWDED = FindingTemplate(
    "day/crowded",
    "jobs were allocated {most:.0f} cores at once on a machine of {cores}",
    remedy="cores are allocated to several jobs, or a job uses more than it requested",
)
IDLE = FindingTemplate(
    "day/idle",
    "nodes idled for {share:percent} of the node time while a waiting job fitted{unknown:; other "
    "users were not watched|}",
    remedy="check that backfill is on, the interval of the scheduler, and limits on jobs",
)
BETWEEN_JOBS = FindingTemplate(
    "day/between jobs",
    "the median gap between two jobs of a node, the second waiting, is {median:duration}: "
    "{share:percent} of the node time in all",
    severity="note",
    remedy="check prologue, epilogue and the interval of the scheduler",
)
UNUSED = FindingTemplate(
    "day/unused",
    "{n:node} never had a job",
    remedy="check whether they are drained, down, or in no queue that was used",
)
LATE = FindingTemplate(
    "day/late",
    "{n:job} {n:=was|were} submitted late, by {median:duration} in the median and {most:duration} "
    "at most[; one submission takes {took:duration}]",
    remedy="if the batch system accepts jobs too slowly, raise --time-scale; "
    "after an interruption do nothing",
)
CLOCKS = FindingTemplate(
    "day/clocks",
    "{n:script} started before the batch system allocated nodes, {job} by {most:duration}: clocks "
    "differ",
    remedy="synchronise the clocks of all nodes",
)
TYPED_IN_VAIN = FindingTemplate(
    "day/typed in vain",
    "{failed} of {n:interactive command} did not exit with {code}; their times are not used",
    remedy="try them on the empty system",
    columns=("command", "system", "typed", "failed"),
)
BY_HAND = FindingTemplate(
    "day/by hand",
    "{n:manual intervention} in the queue",
    severity="note",
    remedy="with many users let priorities decide the order",
    columns=("job", "what"),
)
OTHER_TEST = FindingTemplate(
    "day/other test",
    "{n:job} of another run of Heorot ran meanwhile ({jobs:, 4}); each perturbed the other",
    remedy="run one after the other",
)
NOT_ALONE = FindingTemplate(
    "day/not alone",
    "other users were allocated {share:percent} of the node time during dedicated runs: baselines "
    "are not those of an empty system",
    remedy="repeat them when the system is empty (--alone-from DIR takes such times)",
)

# Tests side by side.
COMPARED = SentenceTemplate(
    "throughput/compared",
    "{what} of {other} is {ratio:[.2f]} times that of {first} ({of_first:duration}); {judged}.",
)
STRETCHED = SentenceTemplate(
    "throughput/stretched",
    "{program} takes {of_other:.2f} times its dedicated run time on {other}, {of_first:.2f} times "
    "on {first}; {judged}.",
)
BEYOND = Template("throughput/beyond", "the difference is significant")
ALIKE = Template("throughput/alike", "the difference is not significant")
NOT_JUDGED = Template("throughput/not judged", "not judged: {why}")
REPEATED = SentenceTemplate(
    "throughput/repeated",
    "Repeated tests of {name} differ by up to {makespan:percent} in makespan[ and {wait:percent} "
    "in mean queue wait].",
)
INCOMPLETE = SentenceTemplate(
    "throughput/incomplete",
    "{name} completed {ok} of {n:job}{more:; other tests lack jobs, too|}.",
)
OTHER_WORK = SentenceTemplate(
    "throughput/other work", "The tests ran different work: {differing:and 3} differ."
)
DIFFERING = SentenceTemplate("throughput/differing", "Settings differ, too: {differing:and 3}.")
NOTHING_DIFFERS = SentenceTemplate(
    "throughput/nothing differs", "No recorded setting differs: these may be tests of one system."
)

# Simulations.
BEST_MAKESPAN = SentenceTemplate(
    "simulation/makespan",
    "{best} has the shortest makespan, {value:duration}; {worst} the longest, {of_worst:duration}.",
)
BEST_WAIT = SentenceTemplate(
    "simulation/wait",
    "{best} has the shortest mean queue wait, {value:duration}; {worst} the longest, "
    "{of_worst:duration}.",
)
BEST_SLOWDOWN = SentenceTemplate(
    "simulation/slowdown",
    "{best} has the smallest mean bounded slowdown, {value:.2f}; {worst} the largest, "
    "{of_worst:.2f}.",
)

STATE_CLAUSES = {
    "failed": "failed",
    "timeout": "reached its time limit",
    "node_fail": "lost a node",
    "rejected": "was rejected",
    "cancelled": "was cancelled",
    "vanished": "was lost",
    "unfinished": "has not ended",
    "lost": "has no recorded end",
    "skipped": "was skipped",
    "absent": "is not recorded",
}
"""The final state of a job or a program that did not complete, as a verb."""

BOUNDS: dict[Bound, str] = {
    "work": "total work",
    "late arrivals": "work that arrived late",
    "longest job": "longest job",
}


def ratio_of(one: Interference) -> Claim:
    """Run time under load over dedicated run time, with the interval if there is one."""
    ratio = Quantity(median=one.ratio, low=one.low, high=one.high)
    return TIMES.claim(ratio=ratio)


def clause_of(one: Missing) -> Claim:
    """The final state of a job or a program of a job, such as `adf15 was cancelled`."""
    ran = one.started or one.part or one.state == "rejected"
    clause = STATE_CLAUSES.get(one.state, one.state)
    return FINAL_STATE.claim(one=one, fate=clause, never=not ran)
