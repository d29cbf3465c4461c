"""Each MPI is told in its own words which network to use; what the site sets itself wins."""

from __future__ import annotations

import pytest

from heorot.launch.networks import environment_of
from heorot.model.machine.site import SiteNetwork
from heorot.model.machine.toolchain import Flavour


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
    assert environment_of(SiteNetwork(name="ib", interface="ib0"), flavour)[variable] == "ib0"
    own = SiteNetwork(name="ib", interface="ib0", environment={variable: "mlx5_0:1"})
    assert environment_of(own, flavour)[variable] == "mlx5_0:1"


def test_without_an_interface_only_the_site_speaks() -> None:
    network = SiteNetwork(name="ib", environment={"X": "1"})
    assert environment_of(network, "openmpi") == {"X": "1"}
    assert environment_of(SiteNetwork(name="ib", interface="ib0"), "none") == {}
