"""The collected data of a run: samples, outcomes of steps, their account, and jobs."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.model.batch.jobs import JobAccount
from heorot.model.run.account import Account
from heorot.model.run.outcome import Outcome
from heorot.model.run.series import Series


@dataclass(frozen=True)
class Collected:
    """The collected data of a run.

    Attributes:
        outcomes: how every step ended, in the order of the steps.
        series: the samples of the steps that came to their end, verified or not.
        account: numbers of steps by outcome, and unexpected ends.
        jobs: cost and end of each job, in the order of their creation.
    """

    outcomes: tuple[Outcome, ...]
    series: tuple[Series, ...]
    account: Account
    jobs: tuple[JobAccount, ...] = ()
