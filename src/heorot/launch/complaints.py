"""Finds the line that explains a failure in the output of a batch system's command."""

from __future__ import annotations

import re
from collections.abc import Iterable

from heorot.printable import printable
from heorot.process import Finished

_LONGEST = 400
_NAMED = re.compile(r"[a-z][\w.-]*:\s")  # a line that begins with the name of a command
_USAGE = re.compile(r"(?:[\w./-]+: )?usage\s*:", re.IGNORECASE)
_ADVICE = re.compile(r"try |see |for (?:more|further) |type |run ['`\"]", re.IGNORECASE)
_ERROR = re.compile(r"[\w./-]+: (?:error|fatal)\b", re.IGNORECASE)
_REMARK = re.compile(r"(?:[\w./-]+: )?(?:warning|info|note|debug)\b", re.IGNORECASE)
# Lines that only refer to another line.
_GENERAL = re.compile(r"unspecified error|aborted by esub|rejected by .*plugin", re.IGNORECASE)


def complaint_of(answer: Finished, prefixes: Iterable[str] = ()) -> str:
    """The message of an output that explains a failure, without usage and advice.

    Args:
        prefixes: prefixes of lines that are removed.
    """
    lines = [line for line in (answer.err or answer.out).splitlines() if line.strip()]
    found = (
        _messages(lines) or [line.strip() for line in lines[-1:]] or [f"exit code {answer.code}"]
    )
    found = [text for text in found if _ERROR.match(text)] or found
    found = [text for text in found if not _REMARK.match(text)] or found
    texts = [
        printable(text)[:_LONGEST] for text in found[-2 if _GENERAL.search(found[-1]) else -1 :]
    ]
    for prefix in prefixes:
        texts = [text.removeprefix(prefix) for text in texts]
    return "; ".join(dict.fromkeys(texts))


def _messages(lines: Iterable[str]) -> list[str]:
    """The messages, each in one line; a message after a command's name may have several lines."""
    messages: list[str] = []
    in_usage = goes_on = False
    for line in lines:
        text = " ".join(line.split())
        if _USAGE.match(text) or (in_usage and line[0].isspace()):
            in_usage, goes_on = True, False
        elif _ADVICE.match(text):
            in_usage = goes_on = False
        elif goes_on and not _NAMED.match(line):
            messages[-1] += f" {text}"
        else:
            messages.append(text)
            in_usage, goes_on = False, bool(_NAMED.match(line))
    return messages
