"""Cleans up after checks that were killed: their jobs, the nodes that they drained or killed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import cast, get_args

from heorot.acceptance.session.registry import Left, left
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import HeorotError
from heorot.launch.adapters.batch_client import BatchClient, BatchJob
from heorot.launch.adapters.choose import find_dialect
from heorot.launch.batch.other_controls import controls_of
from heorot.model.machine.site import BatchName
from heorot.session import laboratory

# A submitting command may outlive its check by this time [s].
_SUBMIT_SECONDS = 60.0
_TURN_SECONDS = 2.0


def clean_up(base: Path, clock: Clock = SYSTEM_CLOCK) -> list[str]:
    """Clean up after all dead checks of this user; returns the actions in words.

    Leftovers that cannot be removed now stay for the next check.
    """
    done = []
    for found in left(base, clock):
        try:
            done += _clean(found, clock)
        except HeorotError as error:  # of another cluster, or of a deleted lab
            done.append(f"leftovers of an earlier check cannot be searched: {error}")
            if found.facts.get("lab"):
                shutil.rmtree(found.folder, ignore_errors=True)
            continue
    return done


def _clean(found: Left, clock: Clock) -> list[str]:
    """Clean up after one check.

    Raises:
        HeorotError: the batch system's commands are not here.
    """
    system = found.facts.get("system", "")
    if system not in get_args(BatchName):
        shutil.rmtree(found.folder, ignore_errors=True)
        return []
    commands = Path(found.facts["commands"]) if found.facts.get("commands") else None
    client = BatchClient(find_dialect(cast(BatchName, system), commands), commands)
    jobs = dict(found.jobs)
    searched = True
    for name in found.names:
        number, answered = _search(client, name, found.age, clock)
        searched = searched and answered
        if number is not None:
            jobs[number] = name
    refusals, asked = client.cancel_unended([BatchJob(*each) for each in jobs.items()])
    cancelled = [job.id for job, refusal in refusals.items() if asked and not refusal]
    done = [f"cancelled job {number}, left by an earlier check" for number in cancelled]
    restored, well = _restore(client, found)
    if searched and asked and well and len(cancelled) == len(refusals):
        shutil.rmtree(found.folder, ignore_errors=True)
    return done + restored


def _search(client: BatchClient, name: str, age: float, clock: Clock) -> tuple[str | None, bool]:
    """Find a job without a recorded id; its submission may still be running."""
    deadline = clock.monotonic() + max(0.0, _SUBMIT_SECONDS - age)
    while True:
        number, answered = client.find(name)
        if number is not None or clock.monotonic() > deadline:
            return number, answered
        clock.sleep(_TURN_SECONDS)


def _restore(client: BatchClient, found: Left) -> tuple[list[str], bool]:
    """Restore nodes; returns the actions in words, and whether all are restored."""
    done, well = [], True
    controls = controls_of(client.dialect)
    for host in found.drained:
        question = controls.act("resume", host)
        if question is None:
            continue
        refusal = client.ask(question)
        if not refusal:
            done.append(f"resumed node {host}, drained by an earlier check")
        elif not _takes_jobs(client, host):  # an administrator may have resumed it
            done.append(f"node {host}, drained by an earlier check, cannot be resumed: {refusal}")
            well = False
    for host in found.killed:
        lab = found.facts.get("lab", "")
        if lab in laboratory.names():
            laboratory.heal(lab, host)
            done.append(f"healed node {host}, killed by an earlier check")
    return done, well


def _takes_jobs(client: BatchClient, host: str) -> bool:
    return any(n.name == host and n.takes_jobs for n in client.ask(client.dialect.nodes()))
