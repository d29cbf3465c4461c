"""Checks that programs can write temporary files in the directory that the environment names."""

from __future__ import annotations

import os
import tempfile

from heorot.errors import SetupError

# The variables in the order in which Open MPI, PMIx and the compilers read them.
_VARIABLES = ("TMPDIR", "TEMP", "TMP")
# Size of a test file: an empty file would fit on a full file system [B].
_PROBE = bytes(1 << 12)


def require_temporary_directory() -> None:
    """Check before anything is launched: Open MPI's ranks would end with code 213, unexplained.

    Raises:
        SetupError: nothing can be written there.
    """
    name = next((name for name in _VARIABLES if os.environ.get(name)), "")
    place = os.environ[name] if name else "/tmp"  # noqa: S108 (the common default)
    try:
        with tempfile.TemporaryFile(dir=place, buffering=0) as file:
            file.write(_PROBE)
    except OSError as error:
        raise SetupError(
            f"no temporary file can be written in {place}"
            f"{f', which {name} names' if name else ''}: {error.strerror}",
            "set TMPDIR to a directory on a local disk that you can write: export TMPDIR=DIRECTORY",
        ) from error
