"""How each MPI is told which of a node's networks to use.

Source: the parameters of Open MPI's components tcp and oob (`ompi_info --all`), of libfabric's
provider tcp (fi_tcp(7)), of UCX (`ucx_info -c`), of Hydra and of Intel MPI's reference.
"""

from __future__ import annotations

from heorot.model.machine.site import SiteNetwork
from heorot.model.machine.toolchain import Flavour


def environment_of(network: SiteNetwork, flavour: Flavour) -> dict[str, str]:
    """Variables by which an MPI uses a network and no other; the site's own win.

    Args:
        network: as the site describes it.
        flavour: whose MPI it is.
    """
    name = network.interface
    if name is None:
        return dict(network.environment)
    found: dict[str, str] = {}
    if flavour == "openmpi":
        found = {
            "OMPI_MCA_btl_tcp_if_include": name,
            "OMPI_MCA_oob_tcp_if_include": name,
            "PRTE_MCA_oob_tcp_if_include": name,
            "PRTE_MCA_prte_if_include": name,
        }
    elif flavour in {"mpich", "mvapich", "cray"}:
        found = {"HYDRA_IFACE": name, "FI_TCP_IFACE": name, "UCX_NET_DEVICES": name}
    elif flavour == "intel":
        found = {"I_MPI_HYDRA_IFACE": name, "FI_TCP_IFACE": name}
    return found | network.environment
