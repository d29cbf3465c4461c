"""Several toolchains in one run: a broken one fails by itself, with messages beforehand."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.build.work import Ended, Work
from heorot.errors import BuildError, SetupError
from heorot.machine.description.yaml import read_site
from heorot.model.machine.machine import Machine
from heorot.model.machine.software import BlasInstall, CompilerInstall
from heorot.model.machine.toolchain import Mpi, Toolchain
from heorot.model.recipe import Recipe
from heorot.model.run.plan import Plan
from heorot.model.run.request import Request
from heorot.session import conductor, preparation, programs
from heorot.session.inspection import list_toolchains
from heorot.session.preparation import Prepared, dry_run, prepare
from heorot.store.directory import RunDirectory
from tests.toolchains import some_compilers, with_cxx, with_fortran
from tests.unit.analyse.builders import a_benchmark
from tests.unit.collect.conftest import make_step
from tests.unit.session.conftest import NODE, Reported

MPI = Mpi(flavour="mpich", version="5", cxx=Path("mpicxx"), mpiexec=Path("mpiexec"))
GNU = Toolchain(name="gnu", compilers=some_compilers("/usr/bin/g++", "GNU 12", "-O3"), mpi=None)
PLAIN = GNU.with_flags("-O0").model_copy(update={"name": "gnu+O0"})
BROKEN = with_cxx(GNU, "/nowhere/g++").model_copy(update={"name": "broken"})
BLIS = GNU.model_copy(update={"name": "gnu+blis", "blas": "BLIS", "blas_library": "/blis.so"})
FLANG = with_fortran(GNU, "/usr/bin/flang").model_copy(update={"name": "gnu+flang"})
HERE = Machine(hostname="n1", nodes=(NODE,))


def never(work: Work) -> Ended:
    raise AssertionError(work)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An own cache, in which builds of ours are recorded as working."""

    def carry_out(work: Work) -> Ended:
        if work.toolchain.cxx == BROKEN.cxx:
            raise BuildError("there is no compiler /nowhere/g++", "install it")
        for name in work.names:
            program = work.directory / "bin" / name
            program.parent.mkdir(parents=True, exist_ok=True)
            program.touch()
        return Ended("build", 0)

    monkeypatch.setattr(programs, "cache_directory", lambda: tmp_path)
    monkeypatch.setattr(programs, "carry_out_here", carry_out)
    return tmp_path


@pytest.mark.usefixtures("cache")
def test_an_unusable_toolchain_fails_by_itself(reported: Reported) -> None:
    steps = [
        make_step(number, toolchain=chain.name, benchmark=name)
        for number, (chain, name) in enumerate(
            [(BROKEN, "memory/stream"), (BROKEN, "npb/ep"), (GNU, "npb/ep")], start=1
        )
    ]
    built, failures = programs.build_programs(steps, (BROKEN, GNU), HERE, reported, never)
    assert set(built) == {("gnu", "npb/ep")}
    assert failures == {
        ("broken", name): "there is no compiler /nowhere/g++"
        for name in ("memory/stream", "npb/ep")
    }
    assert any("nothing is built with broken" in line for line in reported.stages)
    with pytest.raises(BuildError, match="there is no compiler"):
        programs.build_programs(steps, (BROKEN,), HERE, reported, never)


@pytest.mark.usefixtures("cache")
def test_the_first_stack_of_a_run_is_one_that_works(
    tmp_path: Path, reported: Reported, monkeypatch: pytest.MonkeyPatch
) -> None:
    unloadable = GNU.model_copy(update={"name": "modular", "modules": ("no/such/module",)})
    chains = (unloadable, BROKEN, GNU)
    steps = tuple(
        make_step(number, toolchain=chain.name, benchmark="npb/ep")
        for number, chain in enumerate(chains, start=1)
    )
    plan = Plan(profile="smoke", seed=1, budget_seconds=None, seconds=2.0, steps=steps, skipped=())
    monkeypatch.setattr(conductor, "prepare", lambda *_, **__: Prepared(HERE, chains, plan))
    monkeypatch.setattr(conductor, "measure", lambda *_: None)
    monkeypatch.setattr(conductor, "conclude", lambda directory, **_: directory)
    conductor.evaluate(Request(out=tmp_path / "run"), reported)
    run = RunDirectory.open(tmp_path / "run")
    assert [chain.name for chain in run.facts().toolchains] == ["gnu", "broken", "modular"]
    left = run.plan()
    assert [step.toolchain for step in left.steps] == ["gnu"]
    reasons = {case.toolchain: case.reason for case in left.skipped}
    assert "there is no compiler" in reasons["broken"]
    assert "modules of toolchain modular do not load" in reasons["modular"]
    assert all(case.failed for case in left.skipped)


def prepared(
    monkeypatch: pytest.MonkeyPatch, chains: tuple[Toolchain, ...], *only: str
) -> Prepared:
    monkeypatch.setattr(preparation, "list_toolchains", lambda *_: chains)
    request = Request(only=only, toolchains=("*",), launches=1, seed=1)
    return prepare(request, machine=HERE)


def test_a_toolchain_without_anything_to_run_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    chains = (GNU, PLAIN, BLIS, FLANG)
    ready = prepared(monkeypatch, chains, "compute/peak")
    assert ready.toolchains == (GNU, PLAIN)
    (remark,) = ready.remarks
    assert remark.startswith("Nothing runs with gnu+blis, gnu+flang: ")
    ready = prepared(monkeypatch, chains, "memory/stream", "compute/peak")
    used = {(step.benchmark, step.toolchain) for step in ready.plan.steps}
    assert ("memory/stream", "gnu+flang") in used
    assert ("compute/peak", "gnu+flang") not in used
    assert ready.toolchains == (GNU, PLAIN, FLANG)


def test_time_is_promised_for_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, three = (
        prepared(monkeypatch, chains, "compute/dot_product").plan.budget_seconds or 0.0
        for chains in ((GNU,), (GNU, BLIS, FLANG), (GNU, PLAIN))
    )
    assert one == two
    assert three == pytest.approx(2.0 * one)


def test_installed_programs_run_once_for_each_mpi(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = Recipe.model_construct(name="x")
    others = MPI.model_copy(update={"cxx": Path("/opt/mpicxx")})
    asked: list[int] = []

    def stand_ins(_: Recipe, chosen: tuple[Toolchain, ...], *__: object, **___: object) -> object:
        asked.append(len(chosen))
        chain = GNU.model_copy(update={"name": "installed+mpich-5", "mpi": MPI})
        again = with_cxx(chain, "clang++")
        return (chain, again, chain.model_copy(update={"mpi": others})), ""

    monkeypatch.setattr(preparation, "toolchains_for", stand_ins)
    program = a_benchmark(recipe.benchmark)
    chains, _ = preparation._chains([program], (GNU, BLIS, FLANG, PLAIN), (GNU,), [recipe], {})
    assert asked == [2]
    assert [(chain.name, chain.mpi) for chain in chains[program.name]] == [
        ("installed+mpich-5", MPI),
        ("installed+mpich-5#2", others),
    ]


@pytest.mark.usefixtures("cache")
def test_the_price_of_builds_is_reported_until_they_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reported: Reported
) -> None:
    monkeypatch.setattr(preparation, "describe_machine", lambda *_: HERE)
    monkeypatch.setattr(preparation, "list_toolchains", lambda *_: (GNU, PLAIN, BLIS))
    request = Request(only=("compute/peak", "compute/dot_product"), toolchains=("*",))
    plan, remarks = dry_run(request)
    assert remarks[0].startswith("gnu: ")
    assert "compiling 4 programs in 2 builds comes first, takes about " in remarks[-1]
    programs.build_programs(plan.steps, (GNU,), HERE, reported, never)
    assert "compiling 2 programs in 1 build comes first" in dry_run(request)[1][-1]
    programs.build_programs(plan.steps, (GNU, PLAIN), HERE, reported, never)
    assert not any("compiling" in remark for remark in dry_run(request)[1])
    ready = Prepared(HERE, (GNU,), plan)
    assert list(preparation.price(ready)) == []
    assert not (tmp_path / "runs").exists()


_CRAY = "{language: c++, command: CC, version: Cray 17, flags: -O3 -hx}"
SITE = f"toolchains: [{{name: site, compilers: [{_CRAY}], mpi: null}}]\n"


@pytest.mark.parametrize(
    ("keys", "own", "n_found"),
    [
        ("", ["site"], 0),
        ("variants: true\n", ["site", *(f"site+{x}" for x in ("O0", "O2", "Ofast"))], 0),
        ("found: true\n", ["site"], 6),
    ],
)
def test_a_site_decides_what_joins_its_toolchains(
    tmp_path: Path, keys: str, own: list[str], n_found: int
) -> None:
    gnu = CompilerInstall(family="gnu", version="12.2.0", cxx=Path("/usr/bin/g++"), openmp=True)
    blas = BlasInstall(name="BLIS", library="/blis.so")
    machine = HERE.model_copy(update={"compilers": (gnu,), "blases": (blas,)})
    site = tmp_path / "site.yaml"
    site.write_text(SITE + keys)
    reported = read_site(site)
    assert reported.toolchains
    names = [each.name for each in list_toolchains(machine, reported)]
    assert set(own) <= set(names)
    assert names[0] == "site"
    assert ("site+blis" in names) == ("variants" in keys)
    assert sum(name.startswith("gnu-12") for name in names) == n_found
    found = ["gnu-12", "gnu-12+O0", "gnu-12+O2", "gnu-12+O3", "gnu-12+Ofast", "gnu-12+blis"]
    assert names[1:] == found or not n_found


def test_modules_of_the_only_toolchain_have_to_load(
    tmp_path: Path, reported: Reported, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = GNU.model_copy(update={"modules": ("no/such/module",)})
    steps = (make_step(1, toolchain="gnu", benchmark="npb/ep"),)
    plan = Plan(profile="smoke", seed=1, budget_seconds=None, seconds=2.0, steps=steps, skipped=())
    monkeypatch.setattr(conductor, "prepare", lambda *_, **__: Prepared(HERE, (chain,), plan))
    with pytest.raises(SetupError, match="do not load"):
        conductor.evaluate(Request(out=tmp_path / "run"), reported)
