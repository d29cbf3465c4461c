"""The output of a third-party program, and the matches of patterns in it."""

from __future__ import annotations

import os
from pathlib import Path

from heorot.files import read_regular
from heorot.jobs.commands import work_folder
from heorot.model.recipe import Recipe
from heorot.model.run.plan import Step
from heorot.pattern import Match, find_all
from heorot.recipes.printed import plain
from heorot.recipes.values import case_values, layout_values
from heorot.template import fill

_MOST_MATCHES = 2000
_MOST_FILE_BYTES = 16 << 20


class UnreadableError(Exception):
    """The output contains no usable figures: one clause."""


def read_output(recipe: Recipe, step: Step, job: Path, kept_bytes: int) -> str:
    """The output of a launch, or the file with its figures.

    Args:
        kept_bytes: limit of the kept output [B].

    Raises:
        UnreadableError: the file is missing, or the end of the output was not kept.
    """
    file = output_file(recipe, step, job)
    if file is not None:
        folder, path, most = work_folder(job, step), file, _MOST_FILE_BYTES
        what = f"its file {os.path.relpath(path, folder)}"
        path = Path(os.path.realpath(path))  # it may be a link of the program's own
        if folder.is_symlink() or not path.is_relative_to(os.path.realpath(folder)):
            raise UnreadableError(f"{what} is outside of its folder")
    else:
        path, what, most = job / "outputs" / f"{step.id}.txt", "what it printed", kept_bytes - 1
    try:
        content = read_regular(path, most + 1)
    except OSError as error:
        raise UnreadableError(f"{what} cannot be read: {error.strerror}") from None
    if len(content) > most:
        size = f"{round(most / (1 << 20))} MiB"
        raise UnreadableError(f"it wrote more than {size}: the rest is not read")
    return plain(content)


def output_file(recipe: Recipe, step: Step, job: Path) -> Path | None:
    """The file with the figures of a launch; None if it prints them."""
    if not recipe.output:
        return None
    folder = work_folder(job, step)
    known = {**layout_of(step), "folder": str(folder)}
    return folder / fill(recipe.output, case_values(recipe, step.options, known))


def layout_of(step: Step) -> dict[str, str]:
    """Placeholders of the layout of a launch, with their values."""
    return layout_values(step.ranks, step.threads, step.nodes)


def matches_of(pattern: str, output: str) -> list[Match]:
    """All matches of a pattern.

    Raises:
        UnreadableError: there are too many.
    """
    matches = list(find_all(pattern, output, _MOST_MATCHES + 1))
    if len(matches) > _MOST_MATCHES:
        raise UnreadableError(
            f"the pattern `{pattern[:60]}` matches more than {_MOST_MATCHES} times"
        )
    return matches
