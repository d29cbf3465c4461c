"""What is said of the units of a core: its peak, vectors, dot products, elementary functions."""

from __future__ import annotations

from heorot.analyse.templates.template import FindingTemplate, SentenceTemplate, Template

PEAK = SentenceTemplate(
    "compute/peak",
    "One core computes {rate} in double precision[: {per_cycle} flop in every cycle of its true "
    "clock of {clock}][{pipes}].",
    weight=0.9,
)
_UNITS = "{units:multiply-add unit} of {bits} bits"
SHOULD_DO = Template(
    "compute/pipes", ", and a core of {core} with vectors of {bits} bits should do {expected:value}"
)
NARROWER = Template(
    "compute/pipes", ", what the " + _UNITS + " of a core of {core} do with vectors of {width} bits"
)
KNOWN_UNITS = Template(
    "compute/pipes", ", the work of the " + _UNITS + " that a core of {core} has"
)
UNITS = Template("compute/pipes", ", the work of " + _UNITS)
NO_UNITS = Template("compute/pipes", ", which is the work of no whole number of multiply-add units")
ALL_CORES = SentenceTemplate(
    "compute/all cores",
    "{rate.cores} cores together compute {rate}, {gain:times as much as one}.",
    weight=0.6,
)
CACHES = SentenceTemplate(
    "compute/caches",
    "Axpy runs at {near}[ {over_near}][, and at {far}][ {over_far}][, {gain:times as fast}][; the "
    "first-level cache ends between {end:ends}].",
    weight=0.7,
)
SHORT_VECTORS = SentenceTemplate(
    "compute/short vectors",
    "To start axpy costs {start}[, every element {each}][, so that vectors of {half:2} run at "
    "half speed].",
    weight=0.4,
)
DOT_LOOPS = SentenceTemplate(
    "compute/dot loops",
    "A sum of {unrolled.point[n]} products runs at {simple} as the loop is written, and at "
    "{unrolled} in partial sums, {gain:times as fast}[; ddot of the library is {library:times as "
    "fast as they are}][; dot_product of Fortran is {fortran:times as fast as the loop}].",
    weight=0.4,
)
DOT_LEVELS = SentenceTemplate(
    "compute/dot levels",
    "In partial sums a dot product falls from {top} to {far} as its vectors grow to "
    "{extent:binary}: it slows down where both together take more than {ends:and}.",
    weight=0.3,
)
END = Template("compute/end", "{size:binary}")
_COLUMNS = ("function", "precision", "way", "toolchain", "units", "digits lost", "argument")
_LOSES = (
    " of the mathematical library loses more than a decimal digit: {function} in {precision} "
    "precision[ with {stack}] {digits:.1f} digits[ at {argument:.17g}]."
)
INACCURATE = FindingTemplate(
    "compute/inaccurate",
    "A function" + _LOSES,
    remedy="look for flags that trade accuracy for speed (-ffast-math, -Ofast), or another "
    "mathematical library",
    columns=_COLUMNS,
    rule="more than {most:.0f} decimal digit is lost",
)
INACCURATE_REDUCTION = FindingTemplate(
    "compute/inaccurate reduction",
    "At the double that lies closest to a multiple of pi/2 a function" + _LOSES,
    severity="note",
    remedy="programs that reduce such arguments themselves are not concerned",
    columns=_COLUMNS,
    rule="more than {most:.0f} decimal digit is lost",
)
