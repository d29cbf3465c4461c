"""Plain lines of progress: one a step, with how it ended and what remains."""

from __future__ import annotations

import errno
import io
import time

import pytest

from heorot.cli.terminal.progress import Bars, Lines, _left, choose, name_of
from heorot.cli.terminal.throughput_progress import ThroughputLines
from heorot.model.run.outcome import Exit
from heorot.model.run.plan import Plan, Step
from heorot.session.progress import Progress
from tests.unit.report.samples import make_plan_and_outcomes


def _exit(step: Step, code: int = 0, *, timed_out: bool = False, ago: float = -1.0) -> Exit:
    ended = time.time() - ago
    return Exit(step=step.id, started=ended - 2.0, ended=ended, code=code, timed_out=timed_out)


@pytest.fixture
def plan() -> Plan:
    plan, _ = make_plan_and_outcomes()
    return plan


def test_every_step_is_a_line(plan: Plan) -> None:
    stream = io.StringIO()
    lines = Lines(stream)
    lines.stage("building 5 programs")
    lines.begin(plan)
    first, second, third, fourth, fifth, sixth = plan.steps[:6]
    lines.finished(first, _exit(first), "completed")
    lines.finished(second, _exit(second, 139), "failed")
    lines.finished(third, _exit(third, 124, timed_out=True), "timed_out")
    lines.finished(fourth, _exit(fourth, 3), "refused")
    # Before this heorot was started: no news.
    lines.finished(fifth, _exit(fifth, ago=3600.0), "completed")
    lines.finished(sixth, _exit(sixth), "failed")  # a launcher that knows nothing of its ranks
    said = stream.getvalue().splitlines()
    assert said[0] == "heorot: building 5 programs"
    assert said[1] == "heorot: 30 launches, about 3 min"
    expected = [
        "[1/30] compute/peak case (1 x 2, launch 2): 2.0 s; ",
        "[2/30] compute/vector_kernels case (1 x 2, launch 3): failed, exit code 139; ",
        "[3/30] memory/stream case (1 x 2, launch 1): timed out; ",
        "[4/30] messages/pingpong case (2 x 1, launch 2): cannot run here; ",
        f"[6/30] {name_of(sixth)}: failed, despite exit code 0; ",
    ]
    assert len(said) == 2 + len(expected)
    for line, start in zip(said[2:], expected, strict=True):
        assert line.startswith(f"heorot: {start}"), line
        assert line.endswith(" left")


class _Failing(io.StringIO):
    """A log that cannot be written."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._error = OSError(number, "no")

    def flush(self) -> None:
        raise self._error


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_log_that_cannot_be_written_ends_no_run(plan: Plan, number: int) -> None:
    lines = Lines(_Failing(number))
    lines.begin(plan)
    lines.finished(plan.steps[0], _exit(plan.steps[0]), "completed")
    ThroughputLines(_Failing(number)).stage("3 jobs")


def test_a_log_that_nobody_reads_does() -> None:
    with pytest.raises(BrokenPipeError):
        Lines(_Failing(errno.EPIPE)).stage("building 5 programs")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "less than 1 s"),
        (5.8e-15, "less than 1 s"),
        (0.9, "less than 1 s"),
        (1.2, "2.0 s"),
        (250.0, "4 min 10 s"),
    ],
)
def test_what_remains_is_told_in_whole_seconds(seconds: float, text: str) -> None:
    assert _left(seconds) == text


def test_what_is_dropped_is_not_waited_for(plan: Plan) -> None:
    stream = io.StringIO()
    lines = Lines(stream)
    lines.begin(plan)
    first, *others = plan.steps
    for step in others:
        lines.dropped(step)
    lines.finished(first, _exit(first), "completed")
    assert "[1/1] " in stream.getvalue()
    assert stream.getvalue().endswith("; less than 1 s left\n")


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str], plan: Plan) -> None:
    quiet = choose(True)
    assert type(quiet) is Progress
    quiet.begin(plan)
    quiet.finished(plan.steps[0], _exit(plan.steps[0], 1), "failed")
    assert capsys.readouterr() == ("", "")


def test_a_terminal_shows_what_is_told_as_it_is(
    capsys: pytest.CaptureFixture[str], plan: Plan
) -> None:
    bars = Bars()
    bars.stage("looking at [/runs/[bold]x]")
    bars.begin(plan)
    bars.finished(plan.steps[0], _exit(plan.steps[0], 1), "failed")
    bars.close()
    assert "heorot looking at [/runs/[bold]x]" in capsys.readouterr().err
