"""Messages: what it costs to send them."""

from __future__ import annotations

from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.families.messages.checks import cross_check
from heorot.families.messages.glossary import GLOSSARY, SOURCES
from heorot.families.messages.hockney import explain
from heorot.families.messages.sentences import sentences
from heorot.model.catalogue.family import Family

FAMILY = Family(
    name="messages",
    title="Messages",
    about="what a message costs",
    benchmarks=(PINGPONG,),
    explain=explain,
    cross_check=cross_check,
    sentences=sentences,
    glossary=GLOSSARY,
    sources=SOURCES,
)
