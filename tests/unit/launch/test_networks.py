"""Each MPI gets its own variables for the selected network; the site's take precedence."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.launch.networks import environment_of
from heorot.model.machine.site import SiteNetwork
from heorot.model.machine.toolchain import Flavour, Mpi


def an_mpi(flavour: Flavour, version: str = "5.0") -> Mpi:
    return Mpi(flavour=flavour, version=version, cxx=Path("mpicxx"), mpiexec=Path("mpiexec"))


@pytest.mark.parametrize(
    ("flavour", "variable"),
    [
        ("openmpi", "OMPI_MCA_btl_tcp_if_include"),
        ("mpich", "FI_TCP_IFACE"),
        ("mvapich", "UCX_NET_DEVICES"),
        ("intel", "I_MPI_HYDRA_IFACE"),
    ],
)
def test_an_interface_in_the_words_of_each_mpi(flavour: Flavour, variable: str) -> None:
    mpi = an_mpi(flavour)
    assert environment_of(SiteNetwork(name="ib", interface="ib0"), mpi)[variable] == "ib0"
    own = SiteNetwork(name="ib", interface="ib0", environment={variable: "mlx5_0:1"})
    assert environment_of(own, mpi)[variable] == "mlx5_0:1"


@pytest.mark.parametrize(
    ("version", "wanted", "other"),
    [
        ("4.1.4", "OMPI_MCA_oob_tcp_if_include", "PRTE_MCA_prte_if_include"),
        ("5.0.11", "PRTE_MCA_prte_if_include", "OMPI_MCA_oob_tcp_if_include"),
    ],
)
def test_daemons_of_open_mpi_are_told_in_the_words_of_their_version(
    version: str, wanted: str, other: str
) -> None:
    found = environment_of(SiteNetwork(name="ib", interface="ib0"), an_mpi("openmpi", version))
    assert wanted in found
    assert other not in found


def test_without_an_interface_only_the_site_speaks() -> None:
    network = SiteNetwork(name="ib", environment={"X": "1"})
    assert environment_of(network, an_mpi("openmpi")) == {"X": "1"}
    assert environment_of(SiteNetwork(name="ib", interface="ib0"), None) == {}
