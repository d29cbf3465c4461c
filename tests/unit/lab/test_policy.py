"""Slurm's policy on a lab: its scheduler, its epilogue, its limits, its settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pydantic import ValidationError

from heorot.cli import lab as cli
from heorot.errors import UsageError
from heorot.lab import lifecycle
from heorot.lab.model import Laboratory, Policy
from heorot.lab.slurm.configuration import FOLDER, slurm_conf, write_epilogue
from heorot.session import laboratory as session


def settings_of(paper: Laboratory, **policy: Any) -> dict[str, str]:
    """slurm.conf of a lab with a policy, by key."""
    changed = paper.model_copy(update={"policy": Policy(**policy)})
    lines = slurm_conf(changed, Path("/labs/paper"), 4e9).splitlines()
    pairs = [line.partition("=") for line in lines if not line.startswith("NodeName")]
    assert len({key.lower() for key, _, _ in pairs}) == len(pairs), "a key is there twice"
    return {key: value for key, _, value in pairs}


def test_the_defaults_are_those_of_slurm(paper: Laboratory) -> None:
    settings = settings_of(paper)
    assert settings["SchedulerType"] == "sched/backfill"
    assert settings["JobAcctGatherType"] == "jobacct_gather/none"
    assert "Epilog" not in settings
    assert "OverTimeLimit" not in settings


def test_the_scheduler_and_limits_can_be_others(paper: Laboratory) -> None:
    assert settings_of(paper, scheduler="builtin")["SchedulerType"] == "sched/builtin"
    assert settings_of(paper, limits="none")["OverTimeLimit"] == "UNLIMITED"
    enforced = settings_of(paper, limits="all")
    assert enforced["JobAcctGatherParams"] == "OverMemoryKill"
    assert enforced["SelectTypeParameters"] == "CR_CPU_Memory"
    # A quarter of 3814 MiB for each of three nodes and the head, by their processors.
    assert int(enforced["DefMemPerCPU"]) == 953 // paper.cpus_per_node


def test_lines_of_ours_take_the_place_of_others(paper: Laboratory) -> None:
    settings = settings_of(paper, settings=("killwait=9", "PriorityType=priority/multifactor"))
    assert settings["killwait"] == "9"
    assert "KillWait" not in settings
    assert settings["PriorityType"] == "priority/multifactor"


@pytest.mark.parametrize(
    "setting",
    ["OverTimeLimit", "=1", "Over TimeLimit=1", "OverTimeLimit=", "A=b\nInclude=/etc/passwd",
     "A=b c", "A=b#c", "Epilog=/bin/true", "SlurmUser=nobody", "StateSaveLocation=/tmp",
     "include=x", "NodeName=n9", "JobCompLoc=/tmp/x", "MailProg=/bin/false"],
)  # fmt: skip
def test_settings_that_are_none(setting: str) -> None:
    with pytest.raises(ValidationError):
        Policy(settings=(setting,))


@pytest.mark.parametrize("epilogue", ["clean", "broken", "failing"])
def test_an_epilogue_is_a_script(paper: Laboratory, tmp_path: Path, epilogue: Any) -> None:
    (tmp_path / FOLDER).mkdir()
    changed = paper.model_copy(update={"policy": Policy(epilogue=epilogue)})
    write_epilogue(changed, tmp_path)
    (script,) = (tmp_path / FOLDER).iterdir()
    assert script.read_text().startswith("#!/bin/bash\n")
    assert script.stat().st_mode & 0o777 == 0o700
    assert f"Epilog={script}\n" in slurm_conf(changed, tmp_path, 4e9)


def test_without_one_there_is_no_script(paper: Laboratory, tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    write_epilogue(paper, tmp_path)
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_a_policy_needs_slurm() -> None:
    order = lifecycle.LabRequest(
        name="x", n_nodes=1, switch=session.switch(), policy=Policy(limits="none")
    )
    with pytest.raises(UsageError, match="does not schedule jobs"):
        lifecycle.up(order)


def test_the_command_line_makes_the_policy(
    paper: Laboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders: list[lifecycle.LabRequest] = []

    def up(order: lifecycle.LabRequest) -> Laboratory:
        orders.append(order)
        return paper

    monkeypatch.setattr(session, "up", up)
    words = ["up", "--slurm", "--scheduler", "builtin", "--epilogue", "broken"]
    words += ["--limits", "none", "--slurm-conf", "MinJobAge=9"]
    assert CliRunner().invoke(cli.command, words, standalone_mode=False).exception is None
    made = Policy(scheduler="builtin", epilogue="broken", limits="none", settings=("MinJobAge=9",))
    assert orders[0].policy == made
    wrong = CliRunner().invoke(
        cli.command, ["up", "--slurm", "--slurm-conf", "Epilog=x"], standalone_mode=False
    )
    assert isinstance(wrong.exception, UsageError)
    assert "Epilog is set by the lab itself" in str(wrong.exception)
