"""Commands that Heorot suggests, so that the reader can copy them to the terminal as they are."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

# Set by the launcher script: how it was called itself.
_TYPED = "HEOROT_TYPED"
_NAME = "heorot"


def name_as_typed() -> str:
    """How the user called Heorot: `heorot`, `./heorot` or another path, quoted for the shell."""
    typed = os.environ.get(_TYPED) or sys.argv[0]
    if Path(typed).name != _NAME:  # python -m heorot.cli.main
        return _NAME
    found = shutil.which(_NAME)
    # A script that the shell found in PATH is told its whole path.
    return _NAME if found and Path(found) == Path(typed) else shlex.quote(typed)


def suggest(*words: str | os.PathLike[str]) -> str:
    """A command line of Heorot.

    Args:
        words: subcommand, options and arguments; those with blanks are quoted.
    """
    return " ".join([name_as_typed(), *(shlex.quote(os.fspath(word)) for word in words)])
