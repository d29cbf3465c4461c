"""Renders templates, and packs long tables into the page."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from heorot import __version__
from heorot.report.anchors import step_anchor
from heorot.report.figures.show import kind_of, write_picture, write_small
from heorot.report.figures.svg.curves import MARKERS
from heorot.report.screens.first_screen import mute_intervals
from heorot.report.tables.rows import format_row
from heorot.report.tables.table import Table
from heorot.report.wording import bind_units, group_digits, mark_uncertainty

_COMPRESSION = 8
_DIGITS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%.()*+-;,=>?@^_`{|}~"


def render_page(
    template: str,
    content: Mapping[str, Any],
    *,
    tables: Mapping[str, Table],
) -> str:
    """Renders a page with everything it needs inside.

    Args:
        tables: by id; their packed rows go into the page compressed.
    """
    environment = _environment()
    packed = {
        name: "".join(format_row(each, table.columns) for each in table.packed)
        for name, table in tables.items()
        if table.packed
    }
    text = json.dumps(packed, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return environment.get_template(template).render(
        **content,
        markers=MARKERS,
        style=_asset("report.css"),
        script=_asset("report.js") + _asset("figures.js"),
        packed=Markup(_pack(text.encode())),  # noqa: S704 (no HTML in it)
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
        "mark_uncertainty": mark_uncertainty,
        "mute_intervals": mute_intervals,
        "step_anchor": step_anchor,
        "trouble_anchor": lambda step: f"trouble-{step_anchor(step)}",
    }
    environment.globals |= {
        "version": __version__,
        "picture": write_picture,
        "small_picture": write_small,
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
