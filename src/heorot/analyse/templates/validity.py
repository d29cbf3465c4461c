"""Sentences about a run as a whole: how it ended, its validity, suspect results."""

from __future__ import annotations

from heorot.analyse.templates.template import FindingTemplate, SentenceTemplate, Template

# Sentences of the verdict.
AGREEMENT = SentenceTemplate(
    "run/agreement",
    "All cross-checks agree ({n:one pair|pairs}).",
    brief="All cross-checks agree ({n:one pair|pairs}).",
)
DISAGREEMENT = SentenceTemplate(
    "run/disagreement",
    "{n} of {n_pairs:cross-check} {n:=disagrees|disagree}: {quantities:, 3}.",
    brief="{n} of {n_pairs:cross-check} {n:=disagrees|disagree}[: {quantities:, 2}].",
)
SUSPECT = SentenceTemplate(
    "run/doubt",
    "{doubts:; 2}.",
    capital=True,
    brief="{n:One bound is|bounds are} suspect[: shares of {names:and 2} are not to be quoted].",
)
NONE = Template("run/count", "there was no {noun}")
ONLY = Template("run/count", "the only {noun} {done:|has not }{verb}")
ALL = Template("run/count", "all {whole:, {noun}} {verb}")
PART = Template("run/count", "{part:,} of {whole:, {noun}} {verb}")
ALL_REPEATED = Template("run/count", "all {launches:, launch} and {repeats:repeat} completed")
PART_REPEATED = Template("run/count", "{part:,} of {whole:,} launches and repeats completed")
TRUST = SentenceTemplate(
    "run/trust",
    "{passed}, {completed}; {disturbances}[; {refused} could not run here][; {errors:error} must "
    "be resolved first].",
    capital=True,
    brief="{standing}[, {disturbed:,} of them perturbed].",
)
STANDING = Template("run/standing", "{parts:and}")
ALL_CHECKS = Template("run/count", "all checks passed")
FAILED_CHECKS = Template("run/count", "{n:, check} failed")
INCOMPLETE = Template("run/count", "{n:, launch} did not complete")
TO_RESOLVE = SentenceTemplate("run/settle", "{parts:;}.", brief="{parts:;}.")
ERRORS = Template("run/count", "{n:, error} must be resolved first")
REFUSED = Template("run/count", "{n:, launch} could not run here")
SPOILT_RESULTS = SentenceTemplate("run/spoilt", "{results}.", brief="{results}.")

# How steps and jobs ended.
_MISCOUNT = "do not use their results; jobs/*/status.jsonl has the sequence of events"
ENDED_AGAIN = FindingTemplate(
    "run/ended again", "{n:step} ended more than once", severity="error", remedy=_MISCOUNT
)
UNASKED = FindingTemplate(
    "run/unasked",
    "{n:step} ended that {n:=was|were} never submitted",
    severity="error",
    remedy=_MISCOUNT,
)
UNACCOUNTED = FindingTemplate(
    "run/unaccounted",
    "{account.submitted} steps were submitted, {account.ended} are accounted for",
    severity="error",
    remedy=_MISCOUNT,
)
REMEDIES = {
    "failed": "read its last output; run the program alone with heorot run",
    "timed_out": "run it alone; a hang at two or more ranks points to the MPI set-up",
    "lost": "look for a crash of the node, the out-of-memory killer, or a killed job",
    "refused": "no failure: it counts as skipped; the reason names the missing requirement",
}
CASE_ENDED = FindingTemplate(
    "run/case ended",
    "{step.benchmark} ({step.case}[, {stack}][) {end} in {n:launch}: {reason}]",
    severity="error",
    remedy="",
)
PROGRAMS_ENDED = FindingTemplate(
    "run/programs ended",
    "{n:launch} of {programs:program} {end}: {reason}",
    severity="error",
    remedy="",
)
LEFTOVER = FindingTemplate(
    "run/leftover",
    "{several:one of |}{cases:,} left {n:process}[ ({names:,})][ in {n_launches:launch}]",
    remedy="they were ended before the next step; a program must wait for its child processes",
)
CLOCK_SET = FindingTemplate(
    "run/clock set",
    "the clock was set by {steps:,} while {n:launch} ran",
    remedy="no measured time depends on it; clock times before and after do not compare",
)
CLOCK_STEP = Template("run/clock step", "{seconds:+.0f} s")
LOST_JOB = FindingTemplate(
    "run/lost job",
    "job {job.id}[ ({job.system} {number})][ on {hosts} did not end well: {job.why}; {lost_steps}]",
    severity="error",
    remedy="completed steps are kept; {resume} runs the rest of the job again",
    columns=("program", "case", "launches", "at that time"),
)
NO_STEP_LOST = Template("run/lost steps", "no step is lost")
STEPS_LOST = Template("run/lost steps", "{n} of its {asked:step} {n:=is|are} lost")

# Evidence against numbers.
MISPLACED = FindingTemplate(
    "run/misplaced",
    "{step.benchmark} ({step.case}) {reason}",
    severity="error",
    remedy="its results are refused; check where the launcher places ranks",
)
ON_FEWER_NODES = Template("run/place", "ran on {n} of {n_nodes} nodes[ ({hosts:,})]")
CROWDED = Template("run/place", "had {n} ranks on {host} instead of {per_node} per node")
OTHER_KIND = Template("run/place", "ran on {where:and} instead of {kind}")
SHARED_CORES = FindingTemplate(
    "run/shared cores",
    "{n:rank} of {program} ({case}) shared the cores of {place}",
    remedy="check the binding options of the launcher; rates of shared cores are misleading",
)
MIXED_BINDING = FindingTemplate(
    "run/mixed binding",
    "In {n:case} some launches were bound to cores and others were not: their medians and "
    "intervals mix both.",
    remedy="do not compare them with other runs; measure them again in one run",
    columns=("program", "case", "toolchain", "launches bound", "launches free"),
)
LATE_STARTS = FindingTemplate(
    "run/late starts",
    "In {n:case} operations started before all ranks were ready, and were left out: most of them, "
    "{late:.0%}, in {one.benchmark} ({one.case}) with {one.stack} on {one.ranks} ranks",
    remedy="ranks were kept from their cores: repeat on quiet nodes, or compare with barrier "
    "starts (--set start=barrier)",
    columns=("program", "case", "toolchain", "ranks", "operations", "left out"),
    rule="fewer than {kept:.0%} of the operations started together",
)
DISTURBED = FindingTemplate(
    "run/disturbed",
    "{disturbances}",
    severity="note",
    remedy="no result uses them; they are kept in samples.parquet",
    columns=("program", "case", "launches", "what", "repeated unperturbed"),
)
SPOILT = "these results are marked; repeat their programs on a quiet machine with --only"
_OF_PROGRAMS = "{n:result} of {n_results}, of {programs:program}, "
_TABLE = ("program", "such results", "of", "widest interval, of its median")
WIDE = FindingTemplate(
    "run/wide intervals",
    _OF_PROGRAMS + "had an interval, or a range of launches, wider than {widest:.0%} of the median",
    severity="note",
    remedy="use more launches (--launches)",
    columns=_TABLE,
)
FEW_LAUNCHES = FindingTemplate(
    "run/few launches",
    _OF_PROGRAMS
    + "came from fewer than {least:.0f} launches, too few for a {level:.0%} interval. The range "
    "of three contains the median in {of_three:.0%} of cases, that of two in {of_two:.0%}",
    severity="note",
    remedy="use a longer profile, or more launches (--launches)",
    columns=_TABLE,
)
UNCHECKED = FindingTemplate(
    "run/unchecked",
    _OF_PROGRAMS + "had no check to pass",
    remedy="they are excluded from rankings; programs must verify every region they measure",
    columns=_TABLE,
)
TWO_MODES = FindingTemplate(
    "run/two modes",
    "{n:result} of {n_results} {n:=is|are} bimodal; {tested} had the {least:.0f} launches that the "
    "test needs",
    remedy="look for differences between the launches: placement, memory, clock",
    columns=("program", "case", "launches", "results", "furthest apart", "what differs"),
)
TWO_WAYS = FindingTemplate(
    "run/two ways",
    "two measurements of {check.quantity} disagree: {first} by {check.first_name}, {second} by "
    "{check.second_name}, a factor of {check.ratio:.3f} where {check.allowed:.3f} is allowed; "
    "{cause}[. {apart} of {checks} cross-checks of {subject} disagree]",
    remedy="use neither before the cause is known: repeat on a quiet machine",
    columns=("quantity", "first", "", "second", "", "ratio", "allowed", "cause"),
)
ONE_WAY = Template("run/way", "{value}")
BETWEEN_SIZES = Template("run/way", "{value:ends to}")
OFF_ITS_BOUND = Template("run/off its ceiling", "is {share} of its own bound")
PASSED = Template(
    "run/passed", "is exceeded by {programs:,}, up to {factor:value} times ({value:value})"
)
SUSPECT_BOUND = FindingTemplate(
    "run/doubtful ceiling",
    "the bound {ceiling} of {by.cores:one core|cores}{by.nodes:=| of {by.nodes} nodes}, {by} by "
    "{by.benchmark}, {reasons:and}: the bound itself is suspect",
    remedy="do not quote shares of it; measure it again on a quiet machine with --only "
    "{by.benchmark}",
)
DISTURBED_EXCESS = FindingTemplate(
    "run/above disturbed bounds",
    "{n:result} exceeded {n:=its bound|their bounds} by more than {slack:.0%}, the first by a "
    "factor of {factor:value}, in perturbed samples. These shares are withheld",
    remedy="measure again on a quiet machine; a perturbed bound is too low",
    columns=("program", "case", "region", "problem", "share", "value", "times the bound"),
)
EXCESS = FindingTemplate(
    "run/above bounds",
    "Heorot's model is wrong for {n:result}: {n:=its bound is|their bounds are} exceeded by more "
    "than {slack:.0%}, the first by a factor of {factor:value}. These shares are withheld[, and "
    "{refused:value} with them]",
    remedy="report it with this run: a bound, a count or a timer of Heorot is wrong",
    columns=("program", "case", "region", "problem", "share", "value", "times the bound"),
)
