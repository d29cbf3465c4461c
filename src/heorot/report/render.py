"""Renders templates, and packs figures and long tables into the page."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from heorot import __version__
from heorot.errors import SetupError
from heorot.report.anchors import step_anchor
from heorot.report.figures.axis import common_ceiling
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.svg import static_figure
from heorot.report.tables.rows import format_row
from heorot.report.tables.table import Table
from heorot.report.wording import bind_units, group_digits

MARKER_SHAPES = (
    "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z",
    "M-2.7 -2.7h5.4v5.4h-5.4z",
    "M0 -3.8L3.4 0L0 3.8L-3.4 0z",
    "M0 -3.6L3.4 2.6H-3.4z",
    "M-1.2 -3.6h2.4v2.4h2.4v2.4h-2.4v2.4h-2.4v-2.4h-2.4v-2.4h2.4z",
    "M0 3.6L3.4 -2.6H-3.4z",
    "M0 -4L1.2 -1.3L4 -1.2L1.8 .6L2.6 3.4L0 1.8L-2.6 3.4L-1.8 .6L-4 -1.2L-1.2 -1.3z",
    "M-3 -2L-2 -3L0 -1L2 -3L3 -2L1 0L3 2L2 3L0 1L-2 3L-3 2L-1 0z",
)
"""SVG paths of the markers that figures.MARKERS names."""

_COMPRESSION = 6


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
        markers=MARKER_SHAPES,
        style=_asset("report.css"),
        script=_asset("report.js"),
        packed=Markup(_pack(text.encode())),  # noqa: S704 (base64 has no HTML in it)
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
        "has_ceiling": has_ceiling,
        "key_pattern": key_pattern,
        "has_disturbed": lambda drawing: any(any(line.disturbed) for line in drawing.lines),
    }
    return environment


def has_ceiling(drawing: Drawing) -> bool:
    """Whether the figure shows a ceiling."""
    if drawing.figure.kind == "curve":
        return common_ceiling(drawing) is not None
    return any(limit is not None for line in drawing.lines for limit in line.ceilings)


def key_pattern(drawing: Drawing, style: int) -> str:
    """The pattern of everything that a key stands for; empty if it stands for several."""
    patterns = {line.pattern for line in drawing.lines if line.style == style}
    return patterns.pop() if len(patterns) == 1 else ""


def _asset(name: str) -> Markup:
    text = files("heorot.report").joinpath("assets", name).read_text(encoding="utf-8")
    return Markup(text)  # noqa: S704 (our own files)


def _pack(content: bytes) -> str:
    compressed = gzip.compress(content, _COMPRESSION, mtime=0)
    return base64.b64encode(compressed).decode("ascii")


@cache
def _packed_plotly() -> Markup:
    """plotly.js compressed; found without importing plotly, which would take a second."""
    spec = find_spec("plotly")
    if spec is None or spec.origin is None:
        raise SetupError("the package plotly is missing", hint="pip install plotly")
    script = Path(spec.origin).parent / "package_data" / "plotly.min.js"
    return Markup(_pack(script.read_bytes()))  # noqa: S704 (base64 has no HTML in it)
