"""Jobs that one waits for: a command that is given a processor and answers."""

from __future__ import annotations

import shlex

from heorot.session.acceptance.feature import Feature, Judged, UntestedError, failed, passed
from heorot.session.acceptance.stand import Stand
from heorot.units import format_duration

_CODE = 5


def _interactive(stand: Stand) -> Judged:
    """A command that says where it is, and one that fails."""
    caller = stand.ground.caller
    batch = stand.ground.batch
    options = [f"--partition={batch.queue}"] if batch.queue else []
    options += [f"--account={batch.account}"] if batch.account else []
    options += [f"--constraint={batch.constraint}"] if batch.constraint else []
    options += [word for line in batch.directives for word in _words(line)]
    confined = stand.bench.confine(stand.bench.pick(1))
    options += confined
    errand = stand.bench.new(stand.feature)
    words = stand.known(
        stand.controls.interactive(errand.name, options, _asked(stand, confined)),
        "run a command while one waits",
    )
    # Killed, it leaves a job that waits: it is looked for by its name when all is over.
    errand.submitted = stand.clock.time()
    lines, took = [], []
    for script, expected in (("uname -n", 0), (f"exit {_CODE}", _CODE)):
        stand.bench.require_time()
        begun = stand.clock.monotonic()
        seconds = min(stand.patience, stand.bench.left_seconds + 1.0)
        answer = caller.run([*words, "bash", "-c", script], seconds)
        took.append(stand.clock.monotonic() - begun)
        said = " ".join((answer.out or answer.err).split())[-200:]
        lines.append(f"`{script}`: code {answer.code} after {format_duration(took[-1])}: {said}")
        if answer.code == 124:  # noqa: PLR2004 (timed out)
            raise UntestedError(f"no answer came within {format_duration(took[-1])}")
        if answer.code != expected:
            return failed(f"a command ended with {expected}, and {answer.code} came back", *lines)
    text = f"an interactive command answers within {format_duration(took[0])}"
    return passed(text, *lines, answer_seconds=took[0])


def _asked(stand: Stand, confined: tuple[str, ...]) -> list[str]:
    """What a script would ask for that needs one processor for a minute."""
    ground = stand.ground
    wants = ground.wants(1, 1, 60.0, exclusive=False, options=confined)
    lines = ground.dialect.header(wants)
    return [word for line in lines for word in _words(line.removeprefix(ground.dialect.mark))]


def _words(line: str) -> list[str]:
    """The words of an option as a submitting command takes them; as it stands if it has none."""
    try:
        return shlex.split(line)
    except ValueError:  # a quotation without an end
        return [line]


FEATURES = (
    Feature(
        "interactive", "Does a command that one waits for run at once, and tell how it ended?",
        _interactive, jobs=2, seconds=10.0, starts=2, busy_seconds=2.0,
    ),
)  # fmt: skip
