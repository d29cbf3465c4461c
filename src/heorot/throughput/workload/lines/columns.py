"""Lines of sacct as columns: their separators, and bars within users' texts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

from heorot.throughput.workload.lines import sacct_words as words

# Texts of users and sites, which Slurm prints unchanged.
_FREE = frozenset(
    {"jobname", "comment", "admincomment", "systemcomment", "submitline", "workdir", "constraints"}
    | {"container", "extra", "reason", "stdin", "stdout", "stderr", "wckey"}
)
# Columns whose names are specific to sacct.
_KNOWN = frozenset(
    {"jobid", "jobidraw", "jobname", "user", "partition", "account", "state", "exitcode", "submit"}
    | {"start", "end", "elapsed", "elapsedraw", "timelimit", "timelimitraw", "nnodes", "alloccpus"}
    | {"ncpus", "reqcpus", "reqmem", "totalcpu", "group", "eligible", "nodelist", "qos"}
)
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", " ": "blanks, as without -P"}
_ROW = re.compile(r"[0-9]{1,18}(_[0-9\[][^|]*)?(\+[0-9]+)?(\.[A-Za-z0-9_+]+)?\|.*\|.*")
_MOST_WAYS, _MOST_BARS = 200, 100


def columns_of(line: str) -> dict[str, int]:
    """Index of each column in a line of names, by lower-case name.

    Without `JobID`, `JobIDRaw` stands for it.
    """
    plain = line.strip().strip("\ufeff").removesuffix("|")
    found = {name.strip().lower(): place for place, name in enumerate(plain.split("|"))}
    if "jobid" not in found and "jobidraw" in found:
        found["jobid"] = found["jobidraw"]
    return found


def looks_like(line: str) -> str:
    """Describes a first line of sacct in an unreadable form; empty if it is not of sacct."""
    plain = line.strip("\ufeff\"' \r")
    if plain.startswith(("{", "[")) and "job" in plain.lower():
        return "looks like JSON"
    if _ROW.fullmatch(plain):
        return "looks like what sacct prints without the line of column names (-n, --noheader)"
    names = re.findall(r"[A-Za-z]+", plain.lower())
    known = [name for name in names if name in _KNOWN]
    if len(known) < 2 or len(known) < len(names) / 2:  # noqa: PLR2004 (one word may be any text)
        return ""
    between = re.findall(r"[A-Za-z]+[\"']?([^A-Za-z0-9\"'])", plain)
    first = between[0] if between else " "
    if first == "|":
        return "" if "jobid" in columns_of(line) else "looks like sacct without the column JobID"
    word = _SEPARATORS.get(first, f"`{first}`")
    return f"looks like what sacct prints, with {word} between its columns"


def fields_of(text: str, columns: Mapping[str, int], *, closed: bool) -> dict[str, str]:
    """The fields of a line by column.

    Args:
        closed: whether each line ends with `|`.

    Raises:
        ValueError: there are too few, or too many.
    """
    fields = text.split("|")
    if closed and len(fields) > 1 and not fields[-1]:
        fields.pop()
    n = max(columns.values()) + 1
    extra = len(fields) - n
    if extra < 0:
        raise ValueError(f"has {len(fields)} of {n} columns: it was cut off")
    if extra > 0:
        fields = _whole(fields, columns, extra)
    return {name: fields[place].strip() for name, place in columns.items()}


def _whole(fields: list[str], columns: Mapping[str, int], extra: int) -> list[str]:
    """The fields with bars of users' texts restored.

    Raises:
        ValueError: the bars are ambiguous.
    """
    free = sorted({place for name, place in columns.items() if name in _FREE})
    n = len(fields) - extra
    ways = list(itertools.islice(_ways(fields, free, extra), _MOST_WAYS))
    if len(free) != 1:
        ways = [way for way in ways if _fits(way, columns)]
    # Which of two adjacent texts a bar belongs to may be open: no number depends on it.
    others = [[each for place, each in enumerate(way) if place not in free] for way in ways]
    if not ways or any(each != others[0] for each in others):
        raise ValueError(f"has {len(fields)} columns, not {n}")
    return ways[0]


def _ways(fields: Sequence[str], free: Sequence[int], extra: int) -> Iterator[list[str]]:
    """All ways to distribute extra bars over users' texts."""
    if not free or extra > _MOST_BARS:
        return
    for chosen in itertools.combinations_with_replacement(free, extra):
        joined, place = [], 0
        for column in range(len(fields) - extra):
            width = chosen.count(column) + 1
            joined.append("|".join(fields[place : place + width]))
            place += width
        yield joined


def _fits(fields: Sequence[str], columns: Mapping[str, int]) -> bool:
    """Whether each column has a valid value."""
    readers: dict[str, Callable[[str], object]] = {
        **dict.fromkeys(("submit", "start", "end", "eligible"), words.moment),
        **dict.fromkeys(("nnodes", "alloccpus", "ncpus", "reqcpus"), words.count),
        "elapsedraw": words.seconds,
        "elapsed": words.elapsed,
        "state": words.status,
        "timelimitraw": words.limit_minutes,
        "timelimit": words.limit,
    }
    for name, read in readers.items():
        if name in columns:
            with suppress(ValueError):
                read(fields[columns[name]].strip())
                continue
            return False
    return True
