"""A tree of small files kept in one text, for readers that take the path of its root."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path, PosixPath

_HEADING = re.compile(r"^==> (.+) <==$", re.MULTILINE)
# Not a real directory, so files missing in the copy are not read from this machine.
_NOWHERE = "/dev/null/copy"


def split_copy(text: str) -> dict[str, str]:
    """The files of a copy by path, stripped.

    Args:
        text: output of `copy.sh`: a line `==> PATH <==` before the contents of each file.
    """
    pieces = _HEADING.split(text)
    return {
        path: content.strip("\n") for path, content in zip(pieces[1::2], pieces[2::2], strict=True)
    }


def plant(files: dict[str, str]) -> Path:
    """The root of a tree of these files.

    It supports reading text, listing folders and tests for existence. Unpacked, a node would be
    thousands of files, which take seconds to write.
    """
    texts = {f"{_NOWHERE}/{path}": text for path, text in files.items()}
    folders: dict[str, dict[str, None]] = {}
    for file in texts:
        place, known = file, False
        # Up to the first known folder.
        while place != _NOWHERE and not known:
            place, _, name = place.rpartition("/")
            known = place in folders
            folders.setdefault(place, {})[name] = None

    class Planted(PosixPath):
        """A path of this tree; paths derived from it are of this class, too."""

        def read_text(self, encoding: str | None = None, errors: str | None = None) -> str:
            del encoding, errors  # decoded already
            if str(self) not in texts:
                raise FileNotFoundError(self)
            return texts[str(self)]

        def iterdir(self) -> Generator[Planted, None, None]:
            return (self / name for name in folders.get(str(self), ()))

        def exists(self) -> bool:
            return str(self) in texts or str(self) in folders

        def is_symlink(self) -> bool:
            return False

    return Planted(_NOWHERE)
