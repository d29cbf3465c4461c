"""Renders templates, and packs figures and long tables into the page."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from heorot import __version__
from heorot.errors import SetupError
from heorot.report.anchors import step_anchor
from heorot.report.figures.curves.lines import MARKERS
from heorot.report.figures.show import kind_of, static_figure
from heorot.report.tables.rows import format_row
from heorot.report.tables.table import Table
from heorot.report.wording import bind_units, group_digits

_COMPRESSION = 8
_DIGITS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%.()*+-;,=>?@^_`{|}~"


def render_page(
    template: str,
    content: Mapping[str, Any],
    *,
    figures: Sequence[Mapping[str, Any]],
    tables: Mapping[str, Table],
) -> str:
    """Renders a page with everything it needs inside.

    Args:
        template: its file among the templates.
        content: what the template names.
        figures: for the script to draw.
        tables: by id; their packed rows go into the page compressed.
    """
    environment = _environment()
    packed = {
        "figures": {figure["id"]: figure for figure in figures},
        "tables": {
            name: "".join(format_row(each, table.columns) for each in table.packed)
            for name, table in tables.items()
            if table.packed
        },
    }
    text = json.dumps(packed, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return environment.get_template(template).render(
        **content,
        markers=MARKERS.values(),
        style=_asset("report.css"),
        script=_asset("report.js"),
        packed=Markup(_pack(text.encode())),  # noqa: S704 (no HTML in it)
        plotly=_packed_plotly() if figures else "",
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("heorot.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "bind_units": bind_units,
        "step_anchor": step_anchor,
        "trouble_anchor": lambda step: f"trouble-{step_anchor(step)}",
    }
    environment.globals |= {
        "version": __version__,
        "static": static_figure,
        "format_row": format_row,
        "group_digits": group_digits,
        "kind_of": kind_of,
    }
    return environment


def _asset(name: str) -> Markup:
    text = files("heorot.report").joinpath("assets", name).read_text(encoding="utf-8")
    return Markup(text)  # noqa: S704 (our own files)


def _pack(content: bytes) -> str:
    """Compressed, in base 85: a sixteenth shorter than in base 64.

    Four bytes make five digits; the last digits of an incomplete group are left out.
    Source: RFC 1924, with `,` and `.` in the places of `<` and `&`, which HTML reads.
    """
    compressed = gzip.compress(content, _COMPRESSION, mtime=0)
    n_missing = -len(compressed) % 4
    words = np.frombuffer(compressed + bytes(n_missing), dtype=">u4").astype(np.uint32)
    digits = np.stack([words // 85**power % 85 for power in (4, 3, 2, 1, 0)], axis=1)
    text = np.frombuffer(_DIGITS, dtype=np.uint8)[digits].tobytes().decode("ascii")
    return text[: len(text) - n_missing]


@cache
def _packed_plotly() -> Markup:
    """plotly.js compressed; found without importing plotly, which would take a second."""
    spec = find_spec("plotly")
    if spec is None or spec.origin is None:
        raise SetupError("the package plotly is missing", hint="pip install plotly")
    script = Path(spec.origin).parent / "package_data" / "plotly.min.js"
    return Markup(_pack(script.read_bytes()))  # noqa: S704 (no HTML in it)
