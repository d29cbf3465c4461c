"""Text of job scripts and answers that several batch systems share."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from heorot.errors import UsageError
from heorot.jobs.facts import QueueState
from heorot.launch.batch.dialect import NodeState, Submission
from heorot.launch.complaints import complaint_of as complaint_of  # noqa: PLC0414 (re-exported)
from heorot.printable import one_line as printable_line
from heorot.printable import printable
from heorot.process import Finished

# Batch systems split directive lines at blanks, and some pass them to a shell.
_WORD = re.compile(r"[A-Za-z0-9_@%+=:,./&|()\[\]*!<>~^-]+")
_PLAIN = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
_COLOUR = re.compile(r"\x1b\[[\d;]*m")  # `flux queue list` has some, in files, too
# Directives are kept in a fixed buffer; a longer one would be cut silently.
_LONGEST = 1000
# Characters shown of a row that is not understood.
_MOST_SHOWN = 120
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def plain(text: str, what: str) -> str:
    """A name of a queue, an account or a path without special characters.

    Args:
        what: its description for the message.

    Raises:
        UsageError: it contains other characters.
    """
    if not _PLAIN.fullmatch(text) or text.startswith("-") or len(text) > _LONGEST:
        raise UsageError(
            f"{what} {printable(text)[:80]!r} cannot be written into a job script",
            "letters, digits and `_ @ % + = : , . / -` are understood by every batch system",
        )
    return text


def expression(text: str, what: str) -> str:
    """A constraint: as `plain`, with the operators that batch systems know.

    Args:
        what: its description for the message.

    Raises:
        UsageError: it contains blanks, quotes or characters that a shell interprets.
    """
    if not _WORD.fullmatch(text) or text.startswith("-") or len(text) > _LONGEST:
        raise UsageError(
            f"{what} {printable(text)[:80]!r} cannot be written into a job script",
            "write it without blanks, quotes, `$`, `;` and backquotes",
        )
    return text


def directive(text: str) -> str:
    """An option of the submitting command, checked for use in a directive line.

    Args:
        text: such as `--gres=gpu:1`.

    Raises:
        UsageError: it is not a single option line.
    """
    bad = set(text) & set("`$\\;\r\n\0")
    if not text.startswith("-") or bad or not text.isprintable() or len(text) > _LONGEST:
        raise UsageError(
            f"the directive {printable(text)[:80]!r} cannot be written into a job script",
            "a directive is one option, such as `--gres=gpu:1`, without `$`, `;`, `\\` and "
            "backquotes",
        )
    return text


def minutes(seconds: float) -> int:
    """A duration in minutes, rounded up, at least one."""
    return max(1, math.ceil(seconds / _MINUTE - 1e-9))


def rounded_up(seconds: float | None, step: float) -> float | None:
    """A limit rounded up to the batch system's resolution; None for none [s].

    Args:
        seconds: the limit [s].
        step: resolution of limits [s].
    """
    return None if seconds is None else step * max(1, math.ceil(seconds / step - 1e-9))


def clock_time(seconds: float) -> str:
    """A duration as HOURS:MM:SS, rounded up to whole seconds, at least one."""
    whole = max(1, math.ceil(seconds - 1e-9))
    return f"{whole // _HOUR:02d}:{whole // _MINUTE % 60:02d}:{whole % _MINUTE:02d}"


def duration(text: str) -> float | None:
    """A duration in a format of batch systems: `1-02:03:04`, `2:03:04`, `3:04` [s].

    Args:
        text: the duration; None for other texts, such as `UNLIMITED` or `n/a`.
    """
    match = re.fullmatch(r"(?:(\d{1,6})-)?((?:\d{1,9}:){0,2}\d{1,9})", text.strip(), re.ASCII)
    if match is None:
        return None
    parts = [int(part) for part in match[2].split(":")]
    days = int(match[1] or 0)
    if match[1]:  # D-HH, D-HH:MM
        parts += [0] * (3 - len(parts))
    hours, mins, secs = [0] * (3 - len(parts)) + parts
    return float(days * _DAY + hours * _HOUR + mins * _MINUTE + secs)


def moment(text: str, *forms: str) -> float | None:
    """A local time as Unix time [s]; None for other texts.

    Args:
        text: such as `2026-11-22T19:54:07`.
        forms: formats of strptime, tried in order.
    """
    for form in forms:
        try:
            return _in_bounds(datetime.strptime(text.strip(), form).timestamp())  # noqa: DTZ007
        except (ValueError, OverflowError, OSError):
            continue
    return None


def number(text: str) -> float | None:
    """A finite number, None for anything else."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def whole(text: str) -> int | None:
    """An integer of up to nine digits, None for anything else."""
    return int(text) if re.fullmatch(r"-?\d{1,9}", text.strip(), re.ASCII) else None


def count(text: str) -> int | None:
    """A count, at least 0; None for anything else."""
    found = whole(text)
    return found if found is not None and found >= 0 else None


def unix_time(text: str) -> float | None:
    """A Unix time written as a number [s]; None for 0 and anything else."""
    value = number(text)
    return None if value is None else _in_bounds(value)


def _in_bounds(value: float) -> float | None:
    return value if 0.0 < value < 1e11 else None  # noqa: PLR2004 (as UnixTime)


def one_line(text: str) -> str:
    """Foreign text as one printable line of limited length."""
    return printable_line(text)[:400]


def odd_job(row: str) -> QueueState:
    """A job of a row of which only the id is understood: neither gone nor ended."""
    text = one_line(row)[:_MOST_SHOWN]
    return QueueState("unknown", raw="?", reason=f"a row is not understood: {text}")


def jobs_in(
    text: str, n_fields: int, read: Callable[[list[str]], QueueState]
) -> dict[str, QueueState]:
    """Jobs by their ids, from rows with `|` between fields; other lines are ignored.

    Args:
        text: a listing; the last field of a row may contain `|`.
        n_fields: fields of a row, the id first.
    """
    states: dict[str, QueueState] = {}
    for line in text.splitlines():
        fields = [field.strip() for field in line.split("|", n_fields - 1)]
        if fields[0].isdigit():
            states[fields[0]] = read(fields) if len(fields) == n_fields else odd_job(line)
    return states


def odd_node(row: str) -> NodeState:
    """A row of a listing of nodes that is not understood: it has no name."""
    return NodeState("", "unknown", one_line(row)[:_MOST_SHOWN])


def joined(one: NodeState, other: NodeState) -> NodeState:
    """A node with two rows, as where some of its cores are free and others are not."""
    known = one.cores is not None and other.cores is not None
    return replace(
        one,
        state="mixed" if {one.state, other.state} == {"idle", "allocated"} else one.state,
        raw=one.raw if one.raw == other.raw else f"{one.raw}, {other.raw}",
        cores=(one.cores or 0) + (other.cores or 0) if known else None,
        queues=tuple(dict.fromkeys((*one.queues, *other.queues))),
    )


def is_cut_off(answer: Finished) -> bool:
    """Whether a command was ended before it could report its result.

    Args:
        answer: of the command; its own codes above 128 come with a message.
    """
    killed = answer.code < 0 or answer.code > 128  # noqa: PLR2004 (and the number of the signal)
    return answer.code == 124 or (killed and not answer.err.strip())  # noqa: PLR2004 (timed out)


def submission_of(
    answer: Finished, ids: Sequence[str], unclear: re.Pattern[str], message: str
) -> Submission:
    """The result of submitting a job: refused for good only without a sign of the contrary.

    Args:
        ids: of the jobs in the output; the last one counts.
        unclear: complaints after which the job may be in the queue.
        message: the complaint, one line.
    """
    if answer.ok and ids:
        return Submission("accepted", ids[-1], one_line(answer.err))
    if is_cut_off(answer) or answer.ok or unclear.search(answer.err):
        return Submission("unclear", message=message)
    return Submission("refused", message=message)


def agent_text(command: str, before: str = "") -> str:
    """Shell commands that make launchers start daemons through the batch system, without ssh.

    They write a file `agent` into the job's directory; settings of the user take precedence. Names
    with blanks or colons confuse launchers: the file is then reached by the working directory of
    the job's script, on its own host only, which has to start all daemons.

    Args:
        command: of the shell, without single quotes; it runs the words `$*` on `$host`.
        before: further commands that depend on the place of the file.
    """
    return (
        "agent=$here/agent; "
        "if [[ $here == *[!A-Za-z0-9_./+@=-]* ]]; then agent=/proc/$$/cwd/agent; "
        "export OMPI_MCA_plm_rsh_no_tree_spawn=1 PRTE_MCA_plm_ssh_no_tree_spawn=1; fi; "
        "printf '%s\\n' '#!/bin/bash' "
        f"'host=$1; shift; exec {command}' >agent && chmod 700 agent || "
        'fail "cannot write in $here (no space left?)"; '
        "export OMPI_MCA_plm_rsh_agent=${OMPI_MCA_plm_rsh_agent:-$agent} "
        "PRTE_MCA_plm_ssh_agent=${PRTE_MCA_plm_ssh_agent:-$agent}; "
        f"{before}"
        "[[ ${HYDRA_LAUNCHER:-} ]] || export HYDRA_LAUNCHER=rsh HYDRA_LAUNCHER_EXEC=$agent; "
        "[[ ${I_MPI_HYDRA_BOOTSTRAP:-} ]] || "
        "export I_MPI_HYDRA_BOOTSTRAP=rsh I_MPI_HYDRA_BOOTSTRAP_EXEC=$agent"
    )


def read_text(answer: Finished) -> str:
    """The output of a command, without its colours; empty if it failed."""
    lines = (printable(_COLOUR.sub("", line)).rstrip() for line in answer.out.splitlines())
    return "\n".join(lines).strip() if answer.ok else ""
