"""Runs features: first on an idle system, then concurrently as nodes allow, then one by one."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, get_args

from heorot import interruption
from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.feature import Act, EndedError, Feature, Judged, UntestedError
from heorot.acceptance.session.runner import CheckRunner
from heorot.errors import HeorotError
from heorot.model.batch.acceptance import Verdict

if TYPE_CHECKING:
    from heorot.acceptance.session.check import Reporter

# Interval of checks for an interruption [s].
_TURN_SECONDS = 0.25


def run_features(
    runner: CheckRunner, features: Sequence[Feature], reporter: Reporter
) -> list[Verdict]:
    """A verdict for each feature.

    Raises:
        KeyboardInterrupt: the user interrupted it; no feature is running any more.
    """
    runner.poller.start()
    verdicts: list[Verdict] = []
    for act in get_args(Act):
        chosen = [feature for feature in features if feature.act == act]
        if act == "beside":
            # The longest start first, and the others fill the gaps.
            chosen.sort(key=lambda feature: -feature.seconds)
            verdicts += _side_by_side(runner, chosen, reporter)
        else:
            verdicts += [_judge(runner, feature, reporter) for feature in chosen]
    return verdicts


def _begin(
    runner: CheckRunner, feature: Feature, reporter: Reporter, ended: threading.Event
) -> Future[Verdict]:
    """Test a feature in a thread; its errors are raised by the future."""
    verdict: Future[Verdict] = Future()

    def work() -> None:
        try:
            verdict.set_result(_judge(runner, feature, reporter))
        except BaseException as error:  # noqa: BLE001 (raised again by the future)
            verdict.set_exception(error)
        finally:
            ended.set()

    threading.Thread(target=work, daemon=True).start()
    return verdict


def _side_by_side(
    runner: CheckRunner, features: Sequence[Feature], reporter: Reporter
) -> list[Verdict]:
    """Run features concurrently, as far as nodes allow."""
    granted = runner.target.nodes
    waiting = list(features)
    begun: list[tuple[Feature, Future[Verdict]]] = []
    ended = threading.Event()
    try:
        while waiting or not all(verdict.done() for _, verdict in begun):
            interruption.raise_if_asked()
            _verdicts(begun)
            busy = sum(f.takes(granted) for f, verdict in begun if not verdict.done())
            fitting = [f for f in waiting if busy + f.takes(granted) <= granted]
            if fitting:
                waiting.remove(fitting[0])
                begun.append((fitting[0], _begin(runner, fitting[0], reporter, ended)))
            else:
                runner.clock.wait(ended, _TURN_SECONDS)
                ended.clear()
    except BaseException:
        runner.stop()
        with interruption.finishing():
            while not all(verdict.done() for _, verdict in begun):
                runner.clock.sleep(_TURN_SECONDS)
        raise
    return _verdicts(begun)


def _verdicts(begun: Sequence[tuple[Feature, Future[Verdict]]]) -> list[Verdict]:
    """The finished verdicts; raises errors of tests."""
    return [verdict.result() for _, verdict in begun if verdict.done()]


def _judge(runner: CheckRunner, feature: Feature, reporter: Reporter) -> Verdict:
    """The verdict of one feature; its jobs are removed afterwards."""
    with reporter.lock:
        reporter.begun(feature)
    context = FeatureContext(runner, feature.name)
    begun = runner.clock.monotonic()
    try:
        judged = _test(context, feature)
    finally:
        if not interruption_came():
            _leave(runner, context)
    verdict = Verdict(
        feature=feature.name,
        question=feature.question,
        status=judged.status,
        text=judged.text,
        evidence=judged.evidence,
        jobs=tuple(str(probe.number) for probe in context.probes if probe.number),
        figures=judged.figures,
        seconds=runner.clock.monotonic() - begun,
    )
    with reporter.lock:
        reporter.judged(verdict)
    return verdict


def interruption_came() -> bool:
    """Whether the user interrupted the check."""
    try:
        interruption.raise_if_asked()
    except KeyboardInterrupt:
        return True
    return False


def _test(context: FeatureContext, feature: Feature) -> Judged:
    """The result of a feature's test, or the reason why it cannot be tested."""
    needed = feature.seconds + feature.starts * context.runner.lateness
    if context.runner.left_seconds < needed / 2.0:
        return Judged("untested", "no time was left")
    try:
        return feature.check(context)
    except (UntestedError, EndedError) as error:
        return Judged("untested", str(error))
    except HeorotError as error:
        return Judged("untested", f"{error}; {error.hint}")
    except OSError as error:
        return Judged("untested", f"{error.filename or 'a file'}: {error.strerror}")


def _leave(runner: CheckRunner, context: FeatureContext) -> None:
    """Cancel the jobs of a feature that have not ended."""
    for probe in context.probes:
        if probe.number and runner.became(probe) == "unfinished":
            runner.cancel(probe)
