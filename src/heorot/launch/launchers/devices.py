"""Assigns devices to the ranks of a host, by the variable that lists visible devices.

Ranks select by themselves, as with cores; launchers are not involved. A rank takes its share of the
devices that its host lists for the job, else of all devices. Devices go to ranks in order; if there
are fewer devices than ranks, neighbours share one.
"""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.base import PositiveInt, Record
from heorot.model.resource import VISIBLE_DEVICES

# Variables with the number of a rank on its host, of all launchers.
_LOCAL_RANKS = (
    "OMPI_COMM_WORLD_LOCAL_RANK",
    "MPI_LOCALRANKID",
    "PALS_LOCAL_RANKID",
    "PMI_LOCAL_RANK",
    "FLUX_TASK_LOCAL_ID",
    "SLURM_LOCALID",
)
# One line, since launchers carry it to other hosts; exit code 3: cannot run here. Variables of
# other runtimes are unset: a leftover one would select from the remaining devices.
_TAKE = (
    "variable=$1 n=$2 ranks=$3 number= listed=; "
    "for name in $4; do number=${number:-${!name-}}; done; [[ $4 ]] || number=0; "
    '[[ $number ]] || { echo "heorot: no variable has the number of a rank on its host, which '
    'selects its devices" >&2; exit 3; }; '
    "set -f; all=($(seq 0 $((n - 1)))); "
    "for name in $5 $variable; do [[ ! ${!name+set} ]] || listed=$name; done; "
    "if [[ $listed ]]; then IFS=,; all=(${!listed}); unset IFS; "
    "case ${all[0]-} in -1 | NoDevFiles) all=() ;; esac; fi; "
    "first=$((number % ranks * n / ranks)) next=$(((number % ranks + 1) * n / ranks)); "
    "((next > first)) || next=$((first + 1)); "
    '((next <= ${#all[@]})) || { echo "heorot: a rank takes its part of $n devices, and its host '
    'lists ${#all[@]}: $listed=${!listed-}" >&2; exit 3; }; '
    'IFS=,; own="${all[*]:first:next - first}"; unset IFS; unset $5; export "$variable=$own"; '
    'shift 5; exec "$@"'
)


class HostDevices(Record):
    """Devices of one kind on each host of a step.

    Attributes:
        variable: environment variable with the devices that a process sees.
        n: devices of all ranks of a host together.
    """

    variable: str
    n: PositiveInt


def take_devices(
    kinds: Sequence[HostDevices], ranks: int, local_rank: str, *, alone: bool
) -> tuple[str, ...]:
    """The words before a program by which each rank takes its devices.

    Args:
        kinds: types of devices; none need no words.
        ranks: on a host.
        local_rank: variable with the number of a rank on its host; empty if it is not known.
        alone: whether it is the only rank, which has no number.
    """
    numbers = "" if alone else local_rank or " ".join(_LOCAL_RANKS)
    own = {each.variable for each in kinds}
    others = " ".join(name for name in VISIBLE_DEVICES if name not in own)
    return tuple(
        word
        for each in kinds
        for word in (
            *("bash", "-c", _TAKE, "devices"),
            *(each.variable, str(each.n), str(ranks), numbers, others),
        )
    )
