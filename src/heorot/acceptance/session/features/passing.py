"""Exit codes, environment and output of jobs."""

from __future__ import annotations

from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.feature import Feature, Judged, failed, passed
from heorot.acceptance.session.target import VARIABLE
from heorot.files import read_regular

_CODES = (0, 7)
_LINES = 5000
_OUTPUT_SECONDS = 15.0


def _codes(context: FeatureContext) -> Judged:
    """Jobs that end well, end badly, and are killed."""
    bodies = {f"exit {code}": code for code in _CODES}
    wrong, lines = [], []
    probes = {body: context.submit(body) for body in bodies}
    killed = context.submit("trap - EXIT; kill -KILL $$")
    for body, probe in probes.items():
        context.ended(probe)
        state = context.reported_end(probe)
        if state is None:
            wrong.append(f"{probe.label} ended, which the batch system does not report")
            continue
        expected = "ok" if bodies[body] == 0 else "failed"
        line = f"{probe.label}, `{body}`: {state.raw}, code {state.code}"
        lines.append(line)
        if state.end != expected or state.code not in {None, bodies[body]}:
            wrong.append(line)
    context.started(killed)
    state = context.reported_end(killed)
    line = f"{killed.label}, killed by itself: {state.raw if state else 'not reported as ended'}"
    lines.append(line)
    if state is None or state.end == "ok":
        wrong.append(line)
    if wrong:
        return failed(f"exit codes are reported wrongly: {wrong[0]}", *lines)
    return passed("exit codes and signals of jobs are reported", *lines)


def _environment(context: FeatureContext) -> Judged:
    """A variable of the submitting shell arrives unchanged."""
    value = f'$(printf %s "${{{VARIABLE}:-}}" | od -An -tx1 | tr -d " \\n")'
    probe = context.submit(f'record variable "{value}"')
    context.ended(probe)
    seen = probe.first("variable")
    expected = context.client.variables[VARIABLE]
    try:
        got = bytes.fromhex(seen.words[0]).decode() if seen and seen.words else ""
    except ValueError:
        got = ""
    evidence = f"{probe.label}: {VARIABLE} was {got!r}"
    if got == expected:
        return passed("variables of the submitting shell reach the job", evidence)
    return failed("a variable of the submitting shell did not arrive", evidence)


def _output(context: FeatureContext) -> Judged:
    """The output file of a job is complete to the last line."""
    line = 'echo "line $i of the output"'
    body = f"for ((i = 1; i <= {_LINES}; i++)); do {line}; done; echo last >&2"
    probe = context.submit(body)
    context.ended(probe)
    context.reported_end(probe)

    def lines() -> list[str]:
        try:
            return read_regular(probe.output).decode(errors="replace").splitlines()
        except OSError:
            return []

    expected = [f"line {number} of the output" for number in range(1, _LINES + 1)]
    context.wait(lambda: "last" in lines(), _OUTPUT_SECONDS)
    got = lines()
    ours = set(expected)
    n_found = len(ours & set(got))
    evidence = f"{probe.label}: {n_found} of {_LINES} lines in {probe.output.name}"
    in_order = [line for line in got if line in ours] == expected
    if not in_order or "last" not in got:
        return failed("a part of a job's output is missing", evidence)
    return passed("output and complaints of a job are complete and in order", evidence)


FEATURES = (
    Feature(
        "exit-codes", "Does the batch system report the exit codes of jobs?",
        _codes, jobs=3, nodes=1, seconds=10.0, busy_seconds=2.0,
    ),
    Feature(
        "environment", "Does a job get the variables of the shell that submitted it?",
        _environment, seconds=8.0, busy_seconds=1.0,
    ),
    Feature(
        "output", "Is the output of a job complete?", _output, seconds=10.0, busy_seconds=2.0,
    ),
)  # fmt: skip
