"""Properties of every dialect: nothing escapes from a directive, no answer raises an exception."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from heorot.errors import UsageError
from heorot.launch.batch.dialect import Dialect, Part, Wants
from heorot.launch.batch.flux.flux import Flux
from heorot.launch.batch.lsf import Lsf
from heorot.launch.batch.parsing import clock_time, duration, minutes
from heorot.launch.batch.pbs import Pbs
from heorot.launch.batch.slurm import Slurm
from heorot.process import Finished
from tests.unit.launch.batch.answers import SAMPLES

DIALECTS: list[Dialect] = [Slurm(), Pbs(), Pbs("torque"), Lsf(), Flux()]
IDS = ["slurm", "pbs", "torque", "lsf", "flux"]
ATTACKS = [
    "a\n#SBATCH --uid=0",
    "a\nrm -rf /",
    "a\r\nb",
    "a\u2028b",
    "$(reboot)",
    "`reboot`",
    "a;reboot",
    "a b",
    "a\tb",
    "a' b",
    'a"] b',
    "a\\",
    "a\0b",
    "--uid=0",
    "-W x",
    "a${IFS}b",
    "é",
    "a" * 5000,
]
TEXTS = [path.read_text() for path in sorted(SAMPLES.rglob("*.txt"))]
anything = st.one_of(
    st.text(max_size=400),
    st.binary(max_size=400).map(lambda data: data.decode("utf-8", "replace")),
    st.lists(
        st.sampled_from(["|", "12", "-", "\n", "Job Id: 7.srv\n    ", "=", " = ", "RUNNING", "\t"])
    ).map("".join),
    st.sampled_from(TEXTS).flatmap(
        lambda text: st.tuples(st.integers(0, len(text)), st.integers(0, len(text)), st.text()).map(
            lambda cut: text[: cut[0]] + cut[2] + text[cut[1] :]
        )
    ),
)


def wanting(place: str, text: str) -> Wants:
    """A job whose request has a text in one place."""
    if place == "feature":
        return Wants(parts=(Part(nodes=1, feature=text),))
    return Wants.model_validate({place: {text: 1} if place == "devices" else text})


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("dialect", DIALECTS, ids=IDS)
@pytest.mark.parametrize("place", ["queue", "account", "constraint", "feature", "devices"])
def test_nothing_breaks_out_of_a_directive(dialect: Dialect, place: str, attack: str) -> None:
    with pytest.raises((UsageError, ValidationError)):
        dialect.header(wanting(place, attack))


@pytest.mark.parametrize("attack", ["reboot", *(f"--x={attack}" for attack in ATTACKS[:7])])
@pytest.mark.parametrize("dialect", DIALECTS, ids=IDS)
def test_a_directive_is_one_option(dialect: Dialect, attack: str) -> None:
    with pytest.raises((UsageError, ValidationError)):
        dialect.header(Wants(directives=(attack,)))


@pytest.mark.parametrize("dialect", DIALECTS, ids=IDS)
def test_headers_are_comments_with_the_mark(dialect: Dialect) -> None:
    wants = Wants(cores_per_node=2, limit_seconds=30.0, queue="q", account="a", constraint="c")
    header = dialect.job_environment(wants).header
    assert header
    assert all(line.startswith(f"{dialect.mark} ") for line in header)


def test_a_script_is_asked_to_end_in_the_words_of_its_batch_system() -> None:
    asked = [" ".join(dialect.interrupt("12").argv) for dialect in DIALECTS]
    assert asked == [
        "scancel --batch --signal=TERM 12",
        "qsig -s SIGTERM 12",
        "qsig -s SIGTERM 12",
        "bkill -s TERM 12",
        "flux shutdown --background 12",
    ]
    assert [dialect.notice_seconds(3600.0) for dialect in DIALECTS] == [90.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.slow
@given(out=anything, err=anything, code=st.sampled_from([0, 1, 124, 153, 255, -9]))
def test_whatever_is_answered_is_read(out: str, err: str, code: int) -> None:
    answer = Finished(code, out, err)
    for dialect in DIALECTS:
        questions = [
            dialect.query(["12", "7.srv"]),
            *dialect.account(["12", "7.srv"]),
            *dialect.find("J1"),
        ]
        for question in questions:
            for state in (question.read(answer) or {}).values():
                assert "\n" not in state.raw + state.reason
                assert (state.end is None) == (state.phase != "ended")
        submission = dialect.submit(Path("a"), "J1").read(answer)
        assert "\n" not in submission.message
        assert (submission.outcome == "accepted") == bool(submission.id)
        assert "\n" not in dialect.cancel("12").read(answer)
        assert "\n" not in dialect.interrupt("12").read(answer)
        dialect.queues().read(answer)
        dialect.nodes().read(answer)


@given(st.floats(min_value=0.0, max_value=1e8))
def test_limits_are_rounded_up(seconds: float) -> None:
    assert minutes(seconds) * 60 >= seconds - 1e-6
    parsed = duration(clock_time(seconds))
    assert parsed is not None
    assert seconds - 1e-6 <= parsed < seconds + 1.0 + 1e-6 or parsed == 1.0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5:00", 300.0),
        ("2:00:00", 7200.0),
        ("1-00:00:00", 86400.0),
        ("1-02", 93600.0),
        ("1-02:03", 93780.0),
        ("UNLIMITED", None),
        ("INVALID", None),
        ("NOT_SET", None),
        ("n/a", None),
        ("", None),
    ],
)
def test_durations_are_read(text: str, seconds: float | None) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize("dialect", DIALECTS, ids=IDS)
def test_queues_and_policy_are_shown_as_they_are(dialect: Dialect) -> None:
    asked = dialect.policy()
    assert len(asked) == 2
    for question in asked:
        assert question.argv[0] in {*dialect.needs, "qmgr", "bqueues", "bparams"}
        assert question.read(Finished(1, "", "no such command")) == ""
        if "config" not in question.argv or question.argv[0] == "flux":
            shown = question.read(Finished(0, "queue a\n  limit = 1 \x1b[1m\n\n", ""))
            assert shown.startswith("queue a\n  limit = 1")
            assert "\x1b" not in shown
