"""A job may end at any moment while its submission is being decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.jobs.facts import read_facts, write_facts
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.adapters.submission import Submitter
from tests.waiting import wait_until

if TYPE_CHECKING:
    from tests.unit.launch.adapters.fake import Fake
    from tests.unit.launch.conftest import Jobs


@pytest.mark.parametrize("moment", ["last", "found"])
def test_a_job_that_ends_while_it_is_looked_at_is_not_submitted_again(
    adapter: BatchAdapter,
    jobs: Jobs,
    fake: Fake,
    monkeypatch: pytest.MonkeyPatch,
    moment: str,
) -> None:
    """Whether it ends before its last attempt is read, or before the queue is asked."""
    job = jobs.make("true")
    fake.set("hold")
    adapter.start(job)
    owner, name = (Submitter, "last") if moment == "last" else (BatchClient, "state")
    original = getattr(owner, name)

    def late(*arguments: object) -> object:
        fake.clear("hold")
        wait_until(lambda: fake.state(1) == "COMPLETED", seen=lambda: fake.state(1))
        monkeypatch.undo()
        # Another follower of the job recorded its end.
        facts = read_facts(job.directory)
        assert facts
        write_facts(job.directory, facts.model_copy(update={"state": "ok"}))
        return original(*arguments)

    monkeypatch.setattr(owner, name, late)
    adapter.start(job)
    assert len(jobs.exits(job)) == 1
    assert fake.submitted == 1
