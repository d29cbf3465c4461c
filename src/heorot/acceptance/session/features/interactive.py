"""Interactive jobs: a command gets a processor and returns its output."""

from __future__ import annotations

import shlex

from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.feature import Feature, Judged, UntestedError, failed, passed
from heorot.acceptance.session.target import wants_of
from heorot.units import format_duration

_CODE = 5


def _interactive(context: FeatureContext) -> Judged:
    """A command that prints its host, and one that fails."""
    asked = context.target.wants(1, None)
    options = [f"--partition={asked.queue}"] if asked.queue else []
    options += [f"--account={asked.account}"] if asked.account else []
    options += [f"--constraint={asked.constraint}"] if asked.constraint else []
    options += [word for line in asked.directives for word in _words(line)]
    confined = context.runner.confine(context.runner.pick(1))
    options += confined
    probe = context.runner.new(context.feature)
    words = context.known(
        context.controls.interactive(probe.name, options, _asked(context, confined)),
        "run an interactive command",
    )
    # If killed, it leaves a pending job, which the final clean-up finds by its name.
    probe.submitted = context.clock.time()
    lines, took = [], []
    for script, expected in (("uname -n", 0), (f"exit {_CODE}", _CODE)):
        context.runner.require_time()
        begun = context.clock.monotonic()
        seconds = min(context.patience, context.runner.left_seconds + 1.0)
        answer = context.client.run([*words, "bash", "-c", script], seconds)
        took.append(context.clock.monotonic() - begun)
        output = " ".join((answer.out or answer.err).split())[-200:]
        lines.append(f"`{script}`: code {answer.code} after {format_duration(took[-1])}: {output}")
        if answer.code == 124:  # noqa: PLR2004 (timed out)
            raise UntestedError(f"no answer came within {format_duration(took[-1])}")
        if answer.code != expected:
            return failed(f"a command ended with {expected}, and {answer.code} came back", *lines)
    text = f"an interactive command answers within {format_duration(took[0])}"
    return passed(text, *lines, answer_seconds=took[0])


def _asked(context: FeatureContext, confined: tuple[str, ...]) -> list[str]:
    """Options of an interactive command on one processor for a minute."""
    dialect = context.client.dialect
    lines = dialect.header(wants_of(context.target, 1, 1, 60.0, confined))
    return [word for line in lines for word in _words(line.removeprefix(dialect.mark))]


def _words(line: str) -> list[str]:
    """The words of an option of a submitting command; the unchanged text if it has no option."""
    try:
        return shlex.split(line)
    except ValueError:  # an unclosed quotation
        return [line]


FEATURES = (
    Feature(
        "interactive", "Does an interactive command start at once, and return its exit code?",
        _interactive, jobs=2, seconds=10.0, starts=2, busy_seconds=2.0,
    ),
)  # fmt: skip
