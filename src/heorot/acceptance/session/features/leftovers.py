"""Whether a node is clean after a job: processes, /tmp, /dev/shm."""

from __future__ import annotations

from contextlib import suppress

from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.feature import (
    EndedError,
    Feature,
    Judged,
    UntestedError,
    failed,
    passed,
)
from heorot.acceptance.session.probe import ProbeJob

# Leftovers remove themselves after this time, even if Heorot is killed [s].
_LIFE_SECONDS = 180.0
_PLACES = ("/tmp", "/dev/shm")  # noqa: S108 (where jobs leave files)
# The child has its own parent and session, like a daemon. It beats into a file visible to us,
# in any version of bash, and with a decimal point in any locale.
_LEAVE = r"""
for place in {places}; do
    find $place -maxdepth 1 -user "$(id -u)" -name 'heorot-check-*' -mmin +15 -delete 2>/dev/null
    echo left >$place/heorot-check-{name} && record left $place
done
trap - TERM
mkdir -p "$events/left"
LC_ALL=C setsid bash -c 'trap "" HUP; for ((i = 0; i < {life}; i++)); do
    now=${{EPOCHREALTIME:-$(date +%s.%N)}} word="\"what\":\"alive\",\"words\":[\"$$\"]"
    echo "{{\"event\":\"said\",\"time\":$now,$word}}" >>"$1"; sleep 1; done
    rm -f /tmp/heorot-check-{name} /dev/shm/heorot-check-{name}' left "$events/left/status.jsonl" \
    </dev/null >/dev/null 2>&1 &
disown
for ((i = 0; i < 100; i++)); do [[ -s $events/left/status.jsonl ]] && break; sleep 0.1; done
"""
_LOOK = """
for place in {places}; do
    [[ -e $place/heorot-check-{name} ]] && record found $place
    rm -f $place/heorot-check-{name}
done
grep -qs heorot-check-{name} "/proc/{pid}/cmdline" && record found process
pause 2.5
"""
_END = "kill -KILL {pid} 2>/dev/null && record killed {pid}"


def _leftovers(context: FeatureContext) -> Judged:
    """A job leaves files and a process, and a later one on the same node looks for them."""
    context.runner.confine(("n",))
    # Sites may clean up by user instead of by job: no other job of ours may be on the node.
    places = " ".join(_PLACES)
    # Until the looker has started, however late.
    life = int(max(_LIFE_SECONDS, 2.0 * context.patience))
    name = f"{context.runner.registry.token}-{len(context.runner.probes)}"
    leave = _LEAVE.format(places=places, name=name, life=life)
    leaver = context.submit(leave, exclusive=True)
    context.ended(leaver)
    host = leaver.hosts[0]
    left = [event.words[0] for event in leaver.observed("left") if event.words]
    alive = leaver.first("alive")
    if alive is None and not left:
        raise UntestedError("the job could leave nothing behind")
    context.reported_end(leaver)
    pid = alive.words[0] if alive and alive.words else "none"
    look = _LOOK.format(places=places, name=name, pid=pid)
    looker = context.submit(look, exclusive=True, on=(host,))
    context.ended(looker)
    return _judge(context, leaver, looker, (host, left))


def _judge(
    context: FeatureContext, leaver: ProbeJob, looker: ProbeJob, where: tuple[str, list[str]]
) -> Judged:
    host, left = where
    looked = looker.start or 0.0
    beats = [event for event in leaver.observed("alive") if event.time > looked]
    found = [event.words[0] for event in looker.observed("found") if event.words]
    goes_on = bool(beats) or "process" in found
    what = [f"a file in {place}" for place in left]
    what += ["a process in a session of its own"] if leaver.first("alive") else []
    lines = [f"{leaver.label} left {', '.join(what)} on {host}"]
    still = [f"the file in {place}" for place in found if place != "process"]
    still += ["the process"] * goes_on
    lines.append(f"{looker.label} found there later: {', '.join(still) or 'nothing of it'}")
    epilogue = context.policy.lines.get("Epilog")
    lines += [f"Epilog is {epilogue}"] if epilogue else []
    if goes_on and (alive := leaver.first("alive")) and alive.words:
        # The observation counts, whether or not this succeeds: the process ends by itself, too.
        with suppress(UntestedError, EndedError):
            context.ended(context.submit(_END.format(pid=alive.words[0]), on=(host,)))
    if still:
        return failed(f"a job leaves behind: {', '.join(still)}", *lines)
    return passed("nothing of a job is left on its node", *lines)


FEATURES = (
    Feature(
        "leftovers", "Is a node clean after a job: processes, /tmp, /dev/shm?",
        _leftovers, jobs=3, nodes=1, seconds=30.0, starts=3, busy_seconds=6.0,
    ),
)  # fmt: skip
