"""Sentences on DGEMM and dense LU."""

from __future__ import annotations

from heorot.analyse.rows import best, best_on_most_cores, largest
from heorot.analyse.templates.quantities import keys, ratio, share_of
from heorot.analyse.templates.template import amounts
from heorot.analyse.toolchains.libraries import name_library
from heorot.families.algorithms import templates
from heorot.families.algorithms.dense.dense_solve import DENSE_SOLVE
from heorot.families.algorithms.dense.matrix_multiply import MATRIX_MULTIPLY, TEXTBOOK
from heorot.families.algorithms.dense.wording import beside
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.model.resource import ONE_CORE

_RATE = "flop_rate"


def sentences(context: Context) -> list[Sentence]:
    """The sentences on both programs."""
    found = (_multiply(context), _orders(context), _solve(context))
    return [sentence for sentence in found if sentence is not None]


def _multiply(context: Context) -> Sentence | None:
    """The largest product on one core, compared with a library, and on all cores."""
    name = MATRIX_MULTIPLY.name
    rows = context.rows.find(name, "blocked", _RATE)
    one = _largest_of_one(rows)
    if one is None:
        return None
    library = beside(context, one, name, "blas", _RATE)
    every = _by_all_cores(rows, one)
    return templates.MULTIPLY(
        evidence=keys(one, library, every),
        rate=one,
        share=share_of(one),
        name=name_library(context, MATRIX_MULTIPLY, library),
        library=library,
        every=every,
    )


def _orders(context: Context) -> Sentence | None:
    """The effect of the order of three loops, by the largest matrices measured in every order."""
    name = MATRIX_MULTIPLY.name
    good = _largest_of_one(context.rows.find(name, "jki", _RATE))
    if good is None:
        return None
    others = {each: beside(context, good, name, each, _RATE) for each in TEXTBOOK if each != "jki"}
    blocked = beside(context, good, name, "blocked", _RATE)
    rates = amounts({"jki": good, **others, "blocked": blocked}.items())
    if len(rates) == 1:
        return None
    return templates.LOOP_ORDERS(
        evidence=keys(good, *others.values(), blocked),
        rate=good,
        rates=rates,
    )


def _solve(context: Context) -> Sentence | None:
    """The largest system on one core, compared with the matrix product it consists of."""
    rows = context.rows.find(DENSE_SOLVE.name, "blocked", _RATE)
    one = _largest_of_one(rows)
    if one is None:
        return None
    product = best(
        [
            row
            for row in context.rows.find(
                MATRIX_MULTIPLY.name, "blocked", _RATE, cores=1, stack=one.stack
            )
            if row.point["n"] == one.point["n"]
        ]
    )
    library = beside(context, one, DENSE_SOLVE.name, "lapack", _RATE)
    every = _by_all_cores(rows, one)
    fastest, axpy = _beside_axpy(context, rows, one)
    return templates.SOLVE(
        evidence=keys(one, product, library, every, fastest, axpy),
        rate=one,
        share=share_of(one),
        product=product,
        name=name_library(context, DENSE_SOLVE, library),
        library=library,
        every=every,
        fastest=fastest,
        of_axpy=ratio(fastest, axpy),
    )


def _beside_axpy(
    context: Context, rows: list[Result], one: Result
) -> tuple[Result | None, Result | None]:
    """The best row of one core at any size, and the best DAXPY, of which eliminations consist."""
    axpy = best(context.references.find("axpy_rate", of=ONE_CORE, stack=one.stack))
    if axpy is None:
        return None, None
    alike = [row for row in rows if row.cores == 1 and row.stack == one.stack]
    return best(alike), axpy


def _largest_of_one(rows: list[Result]) -> Result | None:
    """The best row of one core for the largest matrix."""
    alone = [row for row in rows if row.cores == 1]
    far = largest(alone, "n")
    return best([row for row in alone if far and row.point["n"] == far.point["n"]])


def _by_all_cores(rows: list[Result], one: Result) -> Result | None:
    """The same problem by the threads of a rank on the most cores."""
    same = [row for row in rows if row.point["n"] == one.point["n"] and not row.is_star]
    every = best_on_most_cores([row for row in same if row.stack == one.stack])
    return every if every and every.cores > 1 else None
