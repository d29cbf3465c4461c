"""A check of a batch system from its request to its page."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from heorot.acceptance.report import write_acceptance
from heorot.acceptance.session import check
from heorot.acceptance.session.feature import Feature
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError
from heorot.model.batch.acceptance import Acceptance
from heorot.store.digests import ACCEPTANCE, write_digests
from heorot.store.place import place_for
from heorot.writing import write

Intent = check.Intent
Reporter = check.Reporter
intend = check.intend


def features(only: Sequence[str]) -> tuple[Feature, ...]:
    """The features that these patterns match; all without any."""
    return check.chosen(only)


def accept(
    intent: Intent, reporter: Reporter, clock: Clock = SYSTEM_CLOCK
) -> tuple[Acceptance, Path]:
    """Do what was intended, and write it down.

    Returns:
        what was found, and the directory of its files.

    Raises:
        KeyboardInterrupt: the user asked for the end; nothing of ours runs any more.
        SetupError: nothing can be written.
        UsageError: the directory is taken.
    """
    with place_for(intent.request.out, Path("acceptance"), time.strftime("%Y%m%d-%H%M%S")) as place:
        directory = check.require_empty(place)
        found = check.check(intent, directory / "jobs", reporter, clock)
        try:
            text = found.model_dump_json(indent=1) + "\n"
            write(directory / ACCEPTANCE, text)
            write_digests(directory)
            write_acceptance(found, directory / "acceptance.html")
        except OSError as error:
            raise SetupError(
                f"cannot write in {directory}: {error.strerror}",
                "choose another directory with --out",
            ) from error
    return found, directory
