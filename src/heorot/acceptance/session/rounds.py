"""Runs features: first on an idle system, then side by side as nodes allow, then alone again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

from heorot import interruption
from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.feature import Act, EndedError, Feature, Judged, UntestedError
from heorot.acceptance.session.runner import CheckRunner
from heorot.errors import HeorotError
from heorot.model.batch.acceptance import Verdict

if TYPE_CHECKING:
    from heorot.acceptance.session.check import Reporter

# Between two looks whether the user wants the end [s].
_TURN_SECONDS = 0.25


def run_features(
    runner: CheckRunner, features: Sequence[Feature], reporter: Reporter
) -> list[Verdict]:
    """A verdict for each feature.

    Raises:
        KeyboardInterrupt: the user asked for the end; no feature is at it any more.
    """
    runner.poller.start()
    verdicts: list[Verdict] = []
    for act in get_args(Act):
        chosen = [feature for feature in features if feature.act == act]
        if act == "beside":
            # Those that take longest begin first: the others fill what they leave.
            chosen.sort(key=lambda feature: -feature.seconds)
            verdicts += _side_by_side(runner, chosen, reporter)
        else:
            verdicts += [_judge(runner, feature, reporter) for feature in chosen]
    return verdicts


class _Worker(threading.Thread):
    """Tests one feature."""

    def __init__(
        self, runner: CheckRunner, feature: Feature, reporter: Reporter, ended: threading.Event
    ) -> None:
        super().__init__(daemon=True)
        self.feature = feature
        self.over = False
        self.verdict: Verdict | None = None
        self.broken: BaseException | None = None
        self._runner, self._reporter, self._ended = runner, reporter, ended

    def run(self) -> None:
        """Test it; what goes wrong is raised by whoever waits."""
        try:
            self.verdict = _judge(self._runner, self.feature, self._reporter)
        except BaseException as error:  # noqa: BLE001 (it is raised again where it is heard)
            self.broken = error
        finally:
            self.over = True
            self._ended.set()


def _side_by_side(
    runner: CheckRunner, features: Sequence[Feature], reporter: Reporter
) -> list[Verdict]:
    """Features at the same time, as far as nodes allow."""
    granted = runner.target.nodes
    waiting = list(features)
    workers: list[_Worker] = []
    ended = threading.Event()
    try:
        while waiting or not all(worker.over for worker in workers):
            interruption.raise_if_asked()
            _raise_broken(workers)
            busy = sum(w.feature.takes(granted) for w in workers if not w.over)
            fitting = [f for f in waiting if busy + f.takes(granted) <= granted]
            if fitting:
                waiting.remove(fitting[0])
                workers.append(_Worker(runner, fitting[0], reporter, ended))
                workers[-1].start()
            else:
                runner.clock.wait(ended, _TURN_SECONDS)
                ended.clear()
    except BaseException:
        runner.stop()
        with interruption.finishing():
            while not all(worker.over for worker in workers):
                runner.clock.sleep(_TURN_SECONDS)
        raise
    _raise_broken(workers)
    return [worker.verdict for worker in workers if worker.verdict is not None]


def _raise_broken(workers: Sequence[_Worker]) -> None:
    """Raise what broke a test."""
    for worker in workers:
        if worker.broken is not None:
            raise worker.broken


def _judge(runner: CheckRunner, feature: Feature, reporter: Reporter) -> Verdict:
    """The verdict of one feature; its jobs are gone afterwards."""
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
    """Whether the user asked for the end."""
    try:
        interruption.raise_if_asked()
    except KeyboardInterrupt:
        return True
    return False


def _test(context: FeatureContext, feature: Feature) -> Judged:
    """What a feature comes to, or why it cannot be tested."""
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
    """Cancel what a feature has not seen the end of."""
    for probe in context.probes:
        if probe.number and runner.became(probe) == "unfinished":
            runner.cancel(probe)
