"""A tree of small files that stands in one text, for readers that take the path of its root."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path, PosixPath

_HEADING = re.compile(r"^==> (.+) <==$", re.MULTILINE)
# Nothing can be below it: what the tree does not answer is missing, not looked for on this machine.
_NOWHERE = "/dev/null/copy"


def split_copy(text: str) -> dict[str, str]:
    """The files of a copy by their paths, without the blanks around them.

    Args:
        text: as `copy.sh` writes it: a line `==> PATH <==` before the contents of each file.
    """
    pieces = _HEADING.split(text)
    return {
        path: content.strip("\n") for path, content in zip(pieces[1::2], pieces[2::2], strict=True)
    }


def plant(files: dict[str, str]) -> Path:
    """The root of a tree of these files.

    It answers what readers of the kernel's files ask: contents, names in a folder, and whether
    something is there. Unpacked, a node would be thousands of files, which takes seconds to write.
    """
    texts = {f"{_NOWHERE}/{path}": text for path, text in files.items()}
    folders: dict[str, dict[str, None]] = {}
    for file in texts:
        place, known = file, False
        # As far up as a folder that another file made known.
        while place != _NOWHERE and not known:
            place, _, name = place.rpartition("/")
            known = place in folders
            folders.setdefault(place, {})[name] = None

    class Planted(PosixPath):
        """A path of this tree; the paths made from it are of this class, too."""

        def read_text(self, encoding: str | None = None, errors: str | None = None) -> str:
            del encoding, errors  # it is text already
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
