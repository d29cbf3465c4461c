"""What programs and job scripts of a run wrote, whatever was stored of that."""

from __future__ import annotations

from heorot.collect.collect import collect
from heorot.model.run.collected import Collected
from heorot.session.others.chosen import recipes_of
from heorot.session.others.launches import reader
from heorot.store.directory import RunDirectory


def collect_again(directory: RunDirectory) -> Collected:
    """Read what programs and job scripts of a run wrote; what was stored of that is left aside."""
    read = reader(recipes_of(directory))
    asked = {
        directory.job(number).name: [step.id for step in directory.steps(number)]
        for number in directory.job_numbers()
    }
    return collect(directory.all_steps(), directory.jobs, read, asked)
