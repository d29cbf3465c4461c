"""Sentences about third-party libraries that are faster than Heorot's own code."""

from __future__ import annotations

from heorot.analyse.templates.template import SentenceTemplate, Template

LIBRARY = Template("libraries/named", "{library} ({version}, {effort})")
FASTER = SentenceTemplate(
    "libraries/faster",
    "{named} is faster than Heorot's {program} at {n} of {n_points:point}: {points:;}[; {more} "
    "more].",
    weight=0.0,
    rule="by more than {least:.0%}",
    brief="A library is faster than Heorot's {program} at {n} of {n_points:point}.",
)
POINT = Template("libraries/point", "{where}, {cores:one core|cores}: {gain:times as fast}")
