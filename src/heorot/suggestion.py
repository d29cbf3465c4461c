"""Commands that Heorot suggests, for copying to the terminal."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import Path

# Set by the launcher script: the name by which it was called.
_TYPED = "HEOROT_TYPED"
_NAME = "heorot"
# Limit of typing errors: one letter more, less or other in five.
_LEAST_ALIKE = 0.8
# Least length of a prefix that counts as near.
_LEAST_BEGINNING = 3


def name_as_typed() -> str:
    """The user's command for Heorot: `heorot`, `./heorot` or another path, quoted for the shell."""
    typed = os.environ.get(_TYPED) or sys.argv[0]
    if Path(typed).name != _NAME:  # python -m heorot.cli.main
        return _NAME
    found = shutil.which(_NAME)
    # A script found in PATH gets its whole path.
    return _NAME if found and Path(found) == Path(typed) else shlex.quote(typed)


def suggest(*words: str | os.PathLike[str]) -> str:
    """A command line of Heorot.

    Args:
        words: subcommand, options and arguments; words with blanks are quoted.
    """
    return " ".join([name_as_typed(), *(shlex.quote(os.fspath(word)) for word in words)])


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The most similar known word; None if none is similar enough.

    Args:
        word: as typed; leading dashes and capitals are ignored.
    """
    typed = _letters(word)
    alike = {
        each: SequenceMatcher(None, typed, _letters(each)).ratio()
        for each in known
        if _is_near(typed, _letters(each))
    }
    return max(alike, key=lambda each: alike[each], default=None)


def _letters(word: str) -> str:
    return word.lstrip("-").casefold()


def _is_near(typed: str, known: str) -> bool:
    short, long = sorted((typed, known), key=len)
    begins = len(short) >= _LEAST_BEGINNING and long.startswith(short)
    has_turned = bool(typed) and sorted(typed) == sorted(known)  # transposed letters
    alike = SequenceMatcher(None, typed, known).ratio() >= _LEAST_ALIKE
    return begins or has_turned or alike
