"""What users do with their jobs: cancel, hold, release, let them wait for others, submit many."""

from __future__ import annotations

import time

from heorot.session.acceptance.errand import Errand
from heorot.session.acceptance.feature import Feature, Judged, UntestedError, failed, passed
from heorot.session.acceptance.stand import Stand
from heorot.units import format_duration

_SOON_SECONDS = 3.0
_CANCEL_SECONDS = 45.0
_TASKS = 3
_TASKS_SECONDS = 45.0


def _cancel(stand: Stand) -> Judged:
    """One that runs, with a child that goes on by itself, and one that waits."""
    running = stand.submit("beat beat & disown; pause 300", limit_seconds=120.0)
    held = stand.controls.held()
    waiting = stand.submit("true", options=(held,)) if held else None
    stand.started(running)
    stand.wait(lambda: bool(running.events("beat")), 10.0)
    lines = []
    asked = time.time()
    for errand in filter(None, (waiting, running)):
        if said := stand.bench.cancel(errand):
            return failed(f"{errand.label} could not be cancelled: {said}")
    told = stand.settled(running, _CANCEL_SECONDS)
    # Two turns of its child: whoever is alive has beaten by then.
    before = len(running.events("beat"))
    stand.wait(lambda: len(running.events("beat")) > before, 1.5)
    beats = running.events("beat")
    took = max(0.0, running.events()[-1].time - asked)
    lines.append(f"{running.label}: {told.raw if told else 'still not ended'}, silent "
                 f"{format_duration(took)} after it was cancelled")  # fmt: skip
    if told is None or told.end not in {"cancelled", "failed"}:
        return failed("a running job that was cancelled is not told as such", *lines)
    if len(beats) > before:
        return failed("a process of a cancelled job goes on", *lines)
    if waiting is not None:
        told = stand.settled(waiting)
        lines.append(f"{waiting.label}, which waited: {told.raw if told else 'still waits'}")
        if waiting.start is not None or told is None or told.end != "cancelled":
            return failed("a waiting job that was cancelled is not gone", *lines)
    return passed("cancelled jobs end with their processes, or never begin", *lines)


def _hold(stand: Stand) -> Judged:
    """Held from the beginning, and held while it waits."""
    held = stand.known(stand.controls.held(), "submit held jobs")
    first = stand.submit("true", options=(held,))
    release = stand.known(stand.controls.release(str(first.number)), "release jobs")
    if stand.wait(lambda: first.start is not None, _SOON_SECONDS):
        return failed(f"{first.label} was submitted held, and began")
    lines = [f"{first.label}, submitted held: {stand.word(first)}"]
    if said := stand.ask(release):
        return failed(f"{first.label} could not be released: {said}", *lines)
    released = _began_after(stand, first)
    lines.append(f"{first.label} began {format_duration(released)} after its release")
    after = stand.controls.after("any", "1")
    if after is not None:
        holder = stand.submit("until_told", limit_seconds=120.0)
        waiting = stand.submit(
            "true", options=(str(stand.controls.after("any", str(holder.number))),)
        )
        hold = stand.known(stand.controls.hold(str(waiting.number)), "hold jobs")
        said = stand.ask(hold)
        holder.tell()
        stand.ended(holder)
        stand.settled(holder)
        if said:
            return failed(f"{waiting.label} could not be held: {said}", *lines)
        if stand.wait(lambda: waiting.start is not None, _SOON_SECONDS):
            return failed(f"{waiting.label} was held while it waited, and began", *lines)
        lines.append(f"{waiting.label}, held while it waited: {stand.word(waiting)}")
        stand.ask(stand.known(stand.controls.release(str(waiting.number)), "release jobs"))
        _began_after(stand, waiting)
    return passed("held jobs wait until they are released", *lines, release_seconds=released)


def _began_after(stand: Stand, errand: Errand) -> float:
    """How long a job takes to begin from now on [s]."""
    begun = stand.bench.left_seconds
    stand.started(errand)
    return max(0.0, begun - stand.bench.left_seconds)


def _dependency(stand: Stand) -> Judged:
    """What depends on success never begins when there is none; what depends on the end does."""
    stand.known(stand.controls.after("ok", "1"), "let jobs depend on others")

    def behind(other: Errand, *, ok: bool) -> Errand:
        option = stand.controls.after("ok" if ok else "any", str(other.number))
        return stand.submit("true", options=(str(option),))

    first = stand.submit("until_told; exit 3", limit_seconds=120.0)
    never = behind(first, ok=True)
    then = behind(first, ok=False)
    last = behind(then, ok=True)
    stand.started(first)
    if stand.wait(lambda: then.start is not None, 1.0):
        return failed(f"{then.label} began before {first.label} had ended")
    first.tell()
    ended = stand.ended(first)
    began, began_last = stand.started(then), stand.started(last)
    lines = [
        f"{first.label} ended with code 3",
        f"{then.label}, behind its end, began {format_duration(max(0.0, began - ended))} later",
        f"{last.label}, behind the success of that, began",
        f"{never.label}, behind its success: {stand.word(never)}",
    ]
    if began < ended or began_last < (then.end or began):
        return failed("a job began before that on which it depends had ended", *lines)
    if never.start is not None:
        return failed("a job began that depends on the success of one that failed", *lines)
    stand.bench.cancel(never)
    return passed("jobs wait for the end, or the success, of others", *lines)


def _arrays(stand: Stand) -> Judged:
    """Every task begins once, with an index of its own."""
    option = stand.known(stand.controls.array(_TASKS), "submit arrays")
    errand = stand.submit("true", options=(option,))
    stand.started(errand)
    stand.wait(lambda: len(errand.events("end")) >= _TASKS, _TASKS_SECONDS)
    indices = sorted(event.words[-1] for event in errand.events("start") if event.words)
    line = f"{errand.label}: tasks {', '.join(indices)} ran"
    if indices != [str(number) for number in range(1, _TASKS + 1)]:
        return failed(f"an array of {_TASKS} tasks did not run each of them once", line)
    if len(errand.events("end")) < _TASKS:
        raise UntestedError(f"{line}, and not all of them ended")
    return passed(f"an array of {_TASKS} tasks ran each of them once", line)


FEATURES = (
    Feature(
        "cancel", "Do cancelled jobs end, with all their processes?",
        _cancel, jobs=2, seconds=15.0, busy_seconds=10.0,
    ),
    Feature(
        "hold", "Do held jobs wait, and start when they are released?",
        _hold, jobs=3, seconds=20.0, busy_seconds=5.0,
    ),
    Feature(
        "dependency", "Do jobs wait for the end or the success of others?",
        _dependency, jobs=4, seconds=15.0, busy_seconds=5.0,
    ),
    Feature(
        "arrays", "Does an array run each of its tasks once?",
        _arrays, jobs=1, nodes=1, seconds=10.0, busy_seconds=2.0,
    ),
)  # fmt: skip
