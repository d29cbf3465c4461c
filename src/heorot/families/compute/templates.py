"""Sentences about a core: FMA peak, vector kernels, DDOT, elementary functions."""

from __future__ import annotations

from heorot.analyse.templates.template import FindingTemplate, SentenceTemplate, Template

PEAK = SentenceTemplate(
    "compute/peak",
    "FMA peak of one core: {rate} in double precision[. That is {per_cycle} at the measured clock "
    "of {clock}][{pipes}].",
    weight=0.9,
    brief="FMA peak of one core: {rate} in double precision[, {per_cycle}].",
)
_UNITS = "{units:FMA pipe} of {bits} bits"
SHOULD_DO = Template(
    "compute/pipes", "; {core} should reach {expected:value} with vectors of {bits} bits"
)
NARROWER = Template(
    "compute/pipes", ": {core} has " + _UNITS + ", used with vectors of {width} bits"
)
KNOWN_UNITS = Template("compute/pipes", ": {core} has " + _UNITS)
UNITS = Template("compute/pipes", ", the rate of " + _UNITS)
NO_UNITS = Template("compute/pipes", ", the rate of no whole number of FMA pipes")
ALL_CORES = SentenceTemplate(
    "compute/all cores",
    "FMA peak of {rate.cores} cores: {rate}, {gain:times as much as one core}.",
    weight=0.6,
    brief="FMA peak of {rate.cores} cores: {rate}, {gain:times as much as one core}.",
)
CACHES = SentenceTemplate(
    "compute/caches",
    "DAXPY on one core: {near}[ {over_near}][; {far}][ {over_far}][. L1d ends between {end:ends}].",
    weight=0.7,
    brief="DAXPY on one core: {near} at best[, {far} with the longest vectors].",
)
SHORT_VECTORS = SentenceTemplate(
    "compute/short vectors",
    "DAXPY start-up overhead: {start}[, then {each} per element][. The half-performance length "
    "n1/2 is {half:2}].",
    weight=0.4,
)
DOT_LOOPS = SentenceTemplate(
    "compute/dot loops",
    "DDOT of {unrolled.point[n]} elements on one core: {rates:;}.",
    weight=0.4,
)
DOT_LEVELS = SentenceTemplate(
    "compute/dot levels",
    "Unrolled DDOT falls from {top} to {far} at {extent:binary}. It slows down where both vectors "
    "exceed {ends:and}.",
    weight=0.3,
)
END = Template("compute/end", "{size:binary}")
_COLUMNS = ("function", "precision", "variant", "toolchain", "ulp", "digits lost", "argument")
_LOSES = (
    "math library loses more than one decimal digit: {function} in {precision} precision[ with "
    "{stack}] {digits:.1f} digits[ at {argument:.17g}]."
)
INACCURATE = FindingTemplate(
    "compute/inaccurate",
    "The " + _LOSES,
    remedy="remove flags that trade accuracy for speed (-ffast-math, -Ofast), or link another math "
    "library",
    columns=_COLUMNS,
    rule="more than {most:.0f} decimal digit is lost",
)
INACCURATE_REDUCTION = FindingTemplate(
    "compute/inaccurate reduction",
    "At the double closest to a multiple of pi/2 the " + _LOSES,
    severity="note",
    remedy="programs that reduce such arguments themselves are not affected",
    columns=_COLUMNS,
    rule="more than {most:.0f} decimal digit is lost",
)
