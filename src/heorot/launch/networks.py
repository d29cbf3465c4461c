"""Environment variables that select the network of an MPI.

Source: the parameters of Open MPI's components tcp and oob (`ompi_info --all`), of libfabric's
provider tcp (fi_tcp(7)), of UCX (`ucx_info -c`), of Hydra and of Intel MPI's reference.
"""

from __future__ import annotations

from heorot.model.machine.site import SiteNetwork
from heorot.model.machine.toolchain import Mpi

_BEFORE_FIVE, _SINCE_FIVE = "OMPI_MCA_oob_tcp_if_include", "PRTE_MCA_prte_if_include"


def environment_of(network: SiteNetwork, mpi: Mpi | None) -> dict[str, str]:
    """Variables that make an MPI use one network only; variables of the site take precedence.

    Args:
        mpi: the MPI; None for a program without.
    """
    name = network.interface
    if name is None or mpi is None:
        return dict(network.environment)
    flavour = mpi.flavour
    found: dict[str, str] = {}
    if flavour == "openmpi":
        # The daemons have a parameter of their own, and warn about its former name.
        daemons = _BEFORE_FIVE if mpi.version.startswith(("3.", "4.")) else _SINCE_FIVE
        found = {"OMPI_MCA_btl_tcp_if_include": name, daemons: name}
    elif flavour in {"mpich", "mvapich", "cray"}:
        found = {"HYDRA_IFACE": name, "FI_TCP_IFACE": name, "UCX_NET_DEVICES": name}
    elif flavour == "intel":
        found = {"I_MPI_HYDRA_IFACE": name, "FI_TCP_IFACE": name}
    return found | network.environment
