"""Actions of users and administrators on batch systems beyond running jobs."""

from __future__ import annotations

import pytest

from heorot.launch.batch.controls import Controls, Holding, Policy, complaint, read_split_reasons
from heorot.launch.batch.dialect import Dialect
from heorot.launch.batch.flux.flux import Flux
from heorot.launch.batch.lsf import Lsf
from heorot.launch.batch.other_controls import controls_of
from heorot.launch.batch.parsing import directive, expression
from heorot.launch.batch.pbs import Pbs
from heorot.launch.batch.slurm import Slurm
from heorot.launch.batch.slurm_controls import SlurmControls, read_holding, read_policy
from heorot.process import Finished
from tests.unit.launch.batch.answers import said

PLACE = "slurm/22.05/controls"


def test_a_configuration_tells_the_policy() -> None:
    policy = read_policy(said(f"{PLACE}/config.txt"))
    assert policy.lines["SchedulerType"] == "sched/backfill"
    assert policy.lines["JobAcctGatherType"] == "jobacct_gather/linux"
    assert policy.lines["SLURM_VERSION"] == "22.05.8"
    assert (policy.backfills, policy.fair_share) == (True, False)


def test_fair_shares_need_a_weight() -> None:
    lines = "PriorityType = priority/multifactor\nPriorityWeightFairShare = 1\n"
    assert read_policy(Finished(0, lines, "")).fair_share is False
    lines = lines.replace("FairShare", "Fairshare")
    assert read_policy(Finished(0, lines, "")).fair_share is True


def test_no_configuration_is_no_policy() -> None:
    assert read_policy(Finished(1, "", "Unable to contact slurm controller")) == Policy()


def test_a_job_tells_what_it_has() -> None:
    ended = read_holding(said(f"{PLACE}/ended.txt"))
    assert (ended.nodes, ended.cpus, ended.restarts, ended.planned) == (1, 1, 0, None)
    pending = read_holding(said(f"{PLACE}/pending.txt"))
    assert (pending.nodes, pending.planned) == (1, None)
    planned = "JobId=1 JobState=PENDING StartTime=2026-11-23T11:00:00 NumNodes=2-4 NumCPUs=8"
    holding = read_holding(Finished(0, planned, ""))
    assert (holding.nodes, holding.cpus) == (2, 8)
    assert holding.planned is not None
    assert read_holding(Finished(1, "", "Invalid job id specified")) == Holding()


def test_reasons_of_nodes_are_lines() -> None:
    assert read_split_reasons(said(f"{PLACE}/reasons.txt")) == ("n[1-4]: Epilog error",)


def test_a_complaint_is_the_last_line() -> None:
    assert complaint(Finished(0, "fine", "warning")) == ""
    assert complaint(Finished(1, "", "first\n last \n\n")) == "last"
    assert complaint(Finished(3, "", "")) == "exit code 3"


def directives(controls: Controls) -> dict[str, str | None]:
    """The known actions and options, by name."""
    return {
        "held": controls.option("held"),
        "ok": controls.option("after ok", "7"),
        "any": controls.option("after any", "7"),
        "array": controls.option("array", 3),
        "memory": controls.option("memory", 64),
        "urgent": controls.option("less urgent"),
        "later": controls.option("later"),
        "requeue": controls.option("requeue"),
        "nodes": controls.on_nodes(("n1", "n2")),
    }


@pytest.mark.parametrize("dialect", [Slurm(), Pbs(), Pbs("torque"), Lsf(), Flux()])
def test_what_is_known_can_be_written_into_a_script(dialect: Dialect) -> None:
    controls = controls_of(dialect)
    known = [text for text in directives(controls).values() if text is not None]
    assert known
    assert all(directive(text) == text for text in known if text.startswith("-"))
    asked = [text for text in known if not text.startswith("-")]
    assert all(expression(text, "the words") == text for text in asked)
    for question in (
        controls.act("hold", "7"),
        controls.act("release", "7"),
        controls.act("drain", "n1"),
    ):
        assert question is not None
        assert any(word == "7" or word.endswith("n1") for word in question.argv)


def test_each_says_it_in_its_own_words() -> None:
    assert directives(controls_of(Slurm())) == {
        "held": "--hold",
        "ok": "--dependency=afterok:7",
        "any": "--dependency=afterany:7",
        "array": "--array=1-3",
        "memory": "--mem=64M",
        "urgent": "--nice=1000",
        "later": "--begin=now+3600",
        "requeue": "--requeue",
        "nodes": "--nodelist=n1,n2",
    }
    assert controls_of(Pbs()).option("after ok", "7") == "-W depend=afterok:7"
    assert controls_of(Pbs()).option("array", 3) == "-J 1-3"
    assert controls_of(Pbs("torque")).option("array", 3) == "-t 1-3"
    assert controls_of(Lsf()).option("after any", "7") == '-w "ended(7)"'
    resume = controls_of(Flux()).act("resume", "n1")
    assert resume is not None
    assert resume.argv == ("flux", "resource", "undrain", "n1")


def test_nothing_is_guessed() -> None:
    nothing = Controls()
    assert set(directives(nothing).values()) == {None}
    questions = (
        nothing.act("hold", "7"),
        nothing.act("release", "7"),
        nothing.act("drain", "n"),
        nothing.act("fail", "n"),
    )
    more = (nothing.act("resume", "n"), nothing.reasons(), nothing.holding("7"), nothing.policy())
    words = (nothing.interactive("name", (), ()), nothing.option("apart"))
    assert set(questions + more + words) == {None}
    assert controls_of(Lsf()).option("array", 3) is None
    assert controls_of(Flux()).option("memory", 64) is None


def test_nodes_of_slurm_are_declared_dead_and_come_back() -> None:
    controls = SlurmControls()
    fail, resume = controls.act("fail", "n1"), controls.act("resume", "n1")
    assert fail is not None
    assert resume is not None
    assert "State=DOWN" in fail.argv
    assert resume.argv == ("scontrol", "update", "NodeName=n1", "State=RESUME")
    assert controls.interactive("name", ("--partition=p",), ())[0] == "srun"
    assert controls.option("apart") == "#SBATCH hetjob"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("first\n last \n\n", "last"),
        # A usage after it or before it, and advice.
        ("-foo: Illegal option.\nUsage: bsub [-h] [-V]\n    [-H]\n", "-foo: Illegal option."),
        (
            "usage: flux batch [-h]\n           [--x]\nflux-batch: error: unrecognized: --y\n",
            "flux-batch: error: unrecognized: --y",
        ),
        (
            "sbatch: unrecognized option '--foo'\nTry \"sbatch --help\" for more information\n",
            "sbatch: unrecognized option '--foo'",
        ),
        # A remark, before the error or after it.
        (
            "sbatch: error: Invalid qos\nsbatch: Warning: can't honor x\n",
            "sbatch: error: Invalid qos",
        ),
        # A last line that refers to another line.
        (
            "sbatch: error: Give an account\nsbatch: error: submission failed: Unspecified error\n",
            "sbatch: error: Give an account; sbatch: error: submission failed: Unspecified error",
        ),
        (
            "Please give -P project\nRequest aborted by esub. Job not submitted.\n",
            "Please give -P project; Request aborted by esub. Job not submitted.",
        ),
        # One that is continued.
        (
            "qsub: rejected by hook:\nask for\n  walltime\n",
            "qsub: rejected by hook: ask for walltime",
        ),
        ("Usage: nothing else\n   [-h]\n", "[-h]"),
    ],
)
def test_the_line_that_explains(text: str, shown: str) -> None:
    assert complaint(Finished(1, "", text)) == shown
