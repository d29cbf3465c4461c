"""What a run brought: samples, how every step ended, and the account of them."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.model.batch.jobs import JobAccount
from heorot.model.run.account import Account
from heorot.model.run.outcome import Outcome
from heorot.model.run.series import Series


@dataclass(frozen=True)
class Collected:
    """What a run brought.

    Attributes:
        outcomes: how every step ended, in the order of the steps.
        series: the samples of the steps that came to their end, verified or not.
        account: how many ended in which way, and the ends nobody asked for.
        jobs: what each job cost and how it ended, in the order they were made.
    """

    outcomes: tuple[Outcome, ...]
    series: tuple[Series, ...]
    account: Account
    jobs: tuple[JobAccount, ...] = ()
