"""Reads the folder of a published source: systems.yaml, figures.csv, rules.yaml."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from heorot.document.records import Sort, read_file
from heorot.errors import FileError
from heorot.references.records import PublishedFigure, Rules, Source, Systems

_HINT = "docs/published-machines.md explains the files of a source"
_SYSTEMS = Sort(Systems, FileError, "systems", 1 << 20, _HINT)
_RULES = Sort(Rules, FileError, "rules", 1 << 20, _HINT)
_COLUMNS = (
    *("table", "system", "network", "per_node", "processes", "program", "variant", "metric"),
    *("value", "unit", "qualifier", "state", "second_hand", "note"),
)


def read_source(folder: Path) -> Source:
    """A source from its folder, whose name it has.

    Raises:
        FileError: a file is missing or invalid, or figures name a system that is not described.
    """
    systems, _ = read_file(folder / "systems.yaml", _SYSTEMS)
    rules, _ = read_file(folder / "rules.yaml", _RULES)
    file = folder / "figures.csv"
    figures = tuple(_read_figures(file))
    known = {"", *(system.name for system in systems.systems)}
    for figure in figures:
        if figure.system not in known:
            raise _error(file, figure.line, f"{figure.system} is not described in systems.yaml")
    return Source(
        name=folder.name,
        document=systems.document,
        systems=systems.systems,
        figures=figures,
        rules=rules.rules,
    )


def _read_figures(file: Path) -> Iterator[PublishedFigure]:
    try:
        with file.open(encoding="utf-8", newline="") as text:
            rows = csv.DictReader(text, restkey="")
            if tuple(rows.fieldnames or ()) != _COLUMNS:
                raise _error(file, 1, f"the columns must be {','.join(_COLUMNS)}")
            for row in rows:
                yield _figure(row, file, rows.line_num)
    except (OSError, UnicodeError, csv.Error) as error:
        raise FileError(f"cannot be read: {error}", file=file, hint=_HINT) from None


def _figure(row: dict[str, str], file: Path, line: int) -> PublishedFigure:
    values = {name: text for name, text in row.items() if name != "value"}
    try:
        figure = PublishedFigure.model_validate(
            values
            | {
                "per_node": row["per_node"] or None,
                "processes": row["processes"] or None,
                "second_hand": row["second_hand"] == "yes",
                "printed": row["value"],
                "line": line,
            }
        )
        figure.value  # noqa: B018 (a number, unless the unit is text)
    except ValidationError as error:
        first = error.errors()[0]
        raise _error(file, line, f"{first['loc'][0]}: {first['msg']}") from None
    except ValueError as error:
        raise _error(file, line, f"value: {error}") from None
    return figure


def _error(file: Path, line: int, message: str) -> FileError:
    return FileError(message, file=file, line=line, hint=_HINT)
