"""Sentences on Fourier and wavelet transforms."""

from __future__ import annotations

from collections.abc import Mapping

from heorot.analyse.resident_sets import over
from heorot.analyse.rows import best, largest
from heorot.analyse.templates.quantities import exactly, keys
from heorot.analyse.templates.template import amounts
from heorot.analyse.toolchains.libraries import name_library
from heorot.families.algorithms import templates
from heorot.families.algorithms.transforms.fft import FFT, NEAR
from heorot.families.algorithms.transforms.wavelet import FORWARD, MANY, WAVELET
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.point import Scalar


def sentences(context: Context) -> list[Sentence]:
    """The sentences on both programs."""
    found = (_fft(context), _wavelet(context))
    return [sentence for sentence in found if sentence is not None]


def _fft(context: Context) -> Sentence | None:
    """A short line and the longest one on one core, each compared with FFTW's."""
    near = best(_of(context, FFT, "complex_1d", {"n": NEAR}))
    far = largest(_of(context, FFT, "complex_1d", {}), "n")
    if near is None or far is None:
        return None
    beside = [
        best(_of(context, FFT, "fftw_complex_1d", {"n": each.point["n"]})) for each in (near, far)
    ]
    longer = far if far != near else None
    return templates.FFT(
        evidence=keys(near, far, *beside),
        near_n=NEAR,
        near=near,
        near_rates=amounts((("own", near), (name_library(context, FFT, beside[0]), beside[0]))),
        size=exactly(float(far.point["working_set_bytes"]), "B"),
        far=longer,
        far_rates=amounts((("own", longer), (_of_length(context, beside[1]), beside[1]))),
    )


def _of_length(context: Context, row: Result | None) -> str:
    """FFTW, and that it planned this length by estimate, if its program noted that."""
    if row is None:
        return ""
    steps = {step.id for step in context.steps if step.setup == row.setup}
    noted = {one.name for each in context.outcomes if each.step in steps for one in each.notes}
    is_estimated = f"fftw_estimated, {row.point['n']} complex" in noted
    return "FFTW" + " (FFTW_ESTIMATE)" * is_estimated


def _wavelet(context: Context) -> Sentence | None:
    """The source's fields from memory on one core, compared with a single field."""
    many = best(_of(context, WAVELET, MANY[FORWARD], {}))
    if many is None:
        return None
    alike = {"m": many.point["m"], "n": many.point["n"]}
    alone = best(_of(context, WAVELET, FORWARD, alike))
    return templates.WAVELET(
        evidence=keys(many, alone),
        rate=many,
        over=over(context, many),
        alone=alone,
    )


def _of(
    context: Context, benchmark: Benchmark, region: str, point: Mapping[str, Scalar]
) -> list[Result]:
    """The rows on one core of the program's first metric."""
    metric = benchmark.metrics[0].name
    return context.rows.find(benchmark.name, region, metric, point=dict(point), cores=1)
