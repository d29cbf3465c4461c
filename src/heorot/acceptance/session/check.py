"""The check of a batch system, from its announcement to its page; it cleans up after itself."""

from __future__ import annotations

import fnmatch
import platform
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from heorot import __version__, interruption
from heorot.acceptance.report import write_acceptance
from heorot.acceptance.session.feature import Feature
from heorot.acceptance.session.features import FEATURES
from heorot.acceptance.session.probe import ProbeJob
from heorot.acceptance.session.registry import Registry
from heorot.acceptance.session.rounds import run_features
from heorot.acceptance.session.runner import CheckRunner
from heorot.acceptance.session.stale_checks import clean_up
from heorot.acceptance.session.target import resolve_checked
from heorot.build.programs import cache_directory
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import UsageError
from heorot.launch.target import ExecutionTarget
from heorot.model.batch.acceptance import Acceptance, CheckedJob, CheckRequest, Verdict
from heorot.session import laboratory
from heorot.store.atomic import cannot_write, explaining
from heorot.store.digests import ACCEPTANCE, write_digests
from heorot.store.folders import require_ours
from heorot.store.place import place_for
from heorot.writing import write

# Features state upper limits; an idle system needs this share.
_USUAL_SHARE = 0.5


@dataclass(frozen=True)
class Intent:
    """What a check will do, for its announcement.

    Attributes:
        left_out: names of features left out, with the reason.
        lab: the lab of the batch system; empty for none.
    """

    target: ExecutionTarget
    features: tuple[Feature, ...]
    left_out: dict[str, str]
    request: CheckRequest
    lab: str = ""

    @property
    def n_jobs(self) -> int:
        """Maximum number of jobs."""
        return sum(feature.jobs for feature in self.features)

    @property
    def node_minutes(self) -> float:
        """Maximum of the jobs' node minutes [60 s]."""
        granted = self.target.nodes
        return sum(f.takes(granted) * f.busy_seconds for f in self.features) / 60.0

    @property
    def seconds(self) -> float:
        """Duration on an idle system [s]."""
        granted = self.target.nodes
        alone = sum(f.seconds for f in self.features if f.act != "beside")
        beside = [f for f in self.features if f.act == "beside"]
        together = sum(f.takes(granted) * f.seconds for f in beside) / granted
        longest = max((f.seconds for f in beside), default=0.0)
        return _USUAL_SHARE * (alone + max(longest, together))


def intend(request: CheckRequest) -> Intent:
    """Resolve the target of a check and choose its features; nothing is submitted.

    Raises:
        SetupError: the batch system's commands are missing.
        SiteError: the site file is invalid.
        UsageError: there is no batch system, or no such feature.
    """
    wanted = chosen(request.only)
    target, lab = resolve_checked(request), laboratory.lab_of(request.site)
    left_out = {}
    for feature in wanted:
        if feature.least > target.nodes:
            left_out[feature.name] = f"it takes {feature.least} nodes, {target.nodes} are granted"
        elif feature.admin and not (request.admin or lab):
            left_out[feature.name] = "it needs an administrator: --admin"
    kept = tuple(feature for feature in wanted if feature.name not in left_out)
    return Intent(target, kept, left_out, request, lab)


def chosen(only: Sequence[str]) -> tuple[Feature, ...]:
    """The features that patterns match.

    Args:
        only: patterns; none for all features.

    Raises:
        UsageError: one matches none.
    """
    for pattern in only:
        if not any(_matches(feature.name, (pattern,)) for feature in FEATURES):
            names = ", ".join(feature.name for feature in FEATURES)
            raise UsageError(f"no feature matches {pattern}", f"there are: {names}")
    return tuple(f for f in FEATURES if not only or _matches(f.name, only))


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


@dataclass
class Reporter:
    """Receives the progress of a check.

    Attributes:
        cleaned: called with each leftover of an earlier check.
        begun: called with each feature at the start of its test.
    """

    cleaned: Callable[[str], None] = lambda _line: None
    begun: Callable[[Feature], None] = lambda _feature: None
    judged: Callable[[Verdict], None] = lambda _verdict: None
    lock: threading.Lock = field(default_factory=threading.Lock)


def check(
    intent: Intent, folder: Path, reporter: Reporter, clock: Clock = SYSTEM_CLOCK
) -> Acceptance:
    """Test all features; in every case the check's jobs are removed afterwards.

    Args:
        folder: for scripts and output of jobs, visible to all nodes.

    Raises:
        KeyboardInterrupt: the user interrupted it.
        SetupError: a file cannot be written.
    """
    begun = clock.time()
    base = cache_directory() / "acceptance"
    cleaned = clean_up(base, clock)
    for line in cleaned:
        reporter.cleaned(line)
    client = intent.target.client
    facts = {
        "system": client.dialect.system if client else "",
        "commands": str(client.commands or "") if client else "",
        "lab": intent.lab,
        "host": platform.node(),
        "folder": str(folder),
    }
    try:
        registry = Registry(base, facts)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(Path(error.filename or folder), error) from error
    runner = CheckRunner(
        intent.target, folder, registry, intent.request.minutes, lab=intent.lab, clock=clock
    )
    try:
        verdicts = run_features(runner, intent.features, reporter)
    finally:
        with interruption.finishing():
            _finish(runner, registry, reporter)
    for name, why in intent.left_out.items():
        verdict = untested(name, why)
        reporter.judged(verdict)
        verdicts.append(verdict)
    return _acceptance(intent, runner, verdicts, (begun, cleaned))


def untested(name: str, why: str) -> Verdict:
    """The verdict of a feature that was not tested."""
    question = next(feature.question for feature in FEATURES if feature.name == name)
    return Verdict(feature=name, question=question, status="untested", text=why)


def _finish(runner: CheckRunner, registry: Registry, reporter: Reporter) -> None:
    """Clean up; leftovers that cannot be removed now are reported, and left to the next check."""
    wrong = runner.clean()
    runner.poller.stop()
    undone = [f"node {host} is not restored ({what})" for what, host in registry.undone]
    for line in (*wrong, *undone):
        reporter.cleaned(f"left to the next check: {line}")
    if wrong:
        registry.leave()
    else:
        registry.close()


def _acceptance(
    intent: Intent, runner: CheckRunner, verdicts: list[Verdict], since: tuple[float, list[str]]
) -> Acceptance:
    order = {feature.name: number for number, feature in enumerate(FEATURES)}
    probes = runner.probes
    return Acceptance(
        system=runner.client.dialect.system,
        heorot_version=__version__,
        hostname=platform.node(),
        queue=runner.target.queue.name,
        nodes=runner.target.nodes,
        minutes=intent.request.minutes,
        begun=since[0],
        ended=max(runner.clock.time(), since[0]),
        node_seconds=sum(
            each.nodes * max(0.0, (each.end or each.heard or 0.0) - each.start)
            for each in probes
            if each.start is not None
        ),
        policy=dict(runner.policy.lines),
        verdicts=tuple(sorted(verdicts, key=lambda verdict: order[verdict.feature])),
        jobs=tuple(_job(probe, runner) for probe in probes),
        cleaned=tuple(since[1]),
        command=intent.request.command,
    )


def _job(probe: ProbeJob, runner: CheckRunner) -> CheckedJob:
    return CheckedJob(
        feature=probe.feature,
        name=probe.name,
        number=probe.number,
        nodes=probe.nodes,
        submitted=probe.submitted or None,
        submit_seconds=probe.submit_seconds,
        own_start=probe.start,
        own_end=probe.end,
        state=runner.became(probe),
        hosts=probe.hosts,
    )


def require_empty(place: Path) -> Path:
    """The directory for the files of a check, absolute.

    Raises:
        UsageError: it is not empty, or other users may write there.
    """
    out = place.absolute()
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is there already", "choose another directory with --out")
    require_ours(out)
    return out


def accept(
    intent: Intent, reporter: Reporter, clock: Clock = SYSTEM_CLOCK
) -> tuple[Acceptance, Path]:
    """Run the announced check, and write its results.

    Returns:
        The results, and the directory of their files.

    Raises:
        KeyboardInterrupt: the user interrupted it; all processes of the check have ended.
        SetupError: a file cannot be written.
        UsageError: the directory is not empty.
    """
    with place_for(intent.request.out, Path("acceptance"), time.strftime("%Y%m%d-%H%M%S")) as place:
        directory = require_empty(place)
        found = check(intent, directory / "jobs", reporter, clock)
        with explaining(directory):
            write(directory / ACCEPTANCE, found.model_dump_json(indent=1) + "\n")
            write_digests(directory)
            write_acceptance(found, directory / "acceptance.html")
    return found, directory
