"""Files of published sources: what is read, and how errors are reported."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.errors import FileError
from heorot.references.library import shipped_source, source_names
from heorot.references.reading import read_source
from heorot.references.records import Source
from tests.unit.damage import assert_one_line, damaged_bytes

SHIPPED = Path(__file__).parents[3] / "src/heorot/references/published"
SMALL = SHIPPED / "gordon2003"


def a_copy(folder: Path, file: str, old: str, new: str) -> Path:
    """A source of which one file is changed."""
    shutil.copytree(SMALL, folder / "source")
    path = folder / "source" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return path


@pytest.mark.parametrize("name", source_names())
def test_every_shipped_figure_is_as_in_its_file(name: str) -> None:
    source = shipped_source(name)
    with (SHIPPED / name / "figures.csv").open(newline="") as text:
        rows = list(csv.DictReader(text))
    assert [one.printed for one in source.figures] == [row["value"] for row in rows]
    for figure in source.figures:
        assert (figure.value is None) == (figure.unit == "text" or not figure.printed)
        assert bool(figure.printed) != (figure.state in {"missing", "failed"})


# Rows and empty values of the five sources, as their transcription was checked.
@pytest.mark.parametrize(
    ("name", "figures", "empty"),
    [
        ("steen2000", 1141, 188),
        ("rendell1994", 182, 4),
        ("pester2007", 233, 6),
        ("gordon2003", 87, 0),
        ("saini2006", 153, 0),
    ],
)
def test_no_figure_of_a_source_is_lost(name: str, figures: int, empty: int) -> None:
    found = shipped_source(name).figures
    assert len(found) == figures
    assert sum(not one.printed for one in found) == empty


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("figures.csv", "table,system", "place,system", ":1: the columns must be table,system"),
        ("figures.csv", "text 3.1,,", "text 3.1,etta,", ":2: etta is not described"),
        ("figures.csv", ",2,count", ",two,count", ":2: value: could not convert"),
        ("figures.csv", ",2,count,,", ",2,count,roughly,", ":2: qualifier: Input should be"),
        ("systems.yaml", "title:", "titel:", ":4: `systems.0.title` is missing"),
        ("systems.yaml", "year: 2003", "year: soon", ": `systems.0.year`"),
        ("rules.yaml", "relation: context", "relation: equal", ": `rules.0.relation`"),
    ],
)
def test_an_error_names_file_and_line(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    path = a_copy(tmp_path, file, old, new)
    with pytest.raises(FileError) as caught:
        read_source(path.parent)
    assert_one_line(caught.value, path)
    assert said in str(caught.value)


@pytest.mark.slow
@given(
    file=st.sampled_from(("figures.csv", "systems.yaml", "rules.yaml")),
    data=st.data(),
)
def test_fuzzed_sources_are_one_line_or_read(
    tmp_path_factory: pytest.TempPathFactory, file: str, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp() / "fuzzed-source"
    if not folder.exists():
        shutil.copytree(SMALL, folder)
    content = (SMALL / file).read_bytes()
    (folder / file).write_bytes(data.draw(damaged_bytes(content[:1500])))
    try:
        assert isinstance(read_source(folder), Source)
    except FileError as error:
        assert_one_line(error, folder / file)
    finally:
        (folder / file).write_bytes(content)
