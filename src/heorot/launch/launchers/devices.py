"""How each rank of a host gets its own devices: by the variable that tells which of them it sees.

Ranks choose by themselves, launchers are not asked to, as with cores: a rank takes its part of what
its host lists for the job, else of all that there are. Devices go to ranks in their order; where
there are fewer of them than ranks, neighbours share one.
"""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.base import PositiveInt, Record
from heorot.model.resource import VISIBLE_DEVICES

# What launchers, whatever they are called, may number the ranks of a host by.
_LOCAL_RANKS = (
    "OMPI_COMM_WORLD_LOCAL_RANK",
    "MPI_LOCALRANKID",
    "PALS_LOCAL_RANKID",
    "PMI_LOCAL_RANK",
    "FLUX_TASK_LOCAL_ID",
    "SLURM_LOCALID",
)
# One line, since launchers carry it to other hosts; exit code 3 is that of what cannot run here.
# Batch systems and users may have set variables of other runtimes, too: one that stayed would be
# taken of what is left, and mean others or none.
_TAKE = (
    "variable=$1 n=$2 ranks=$3 number= told=; "
    "for name in $4; do number=${number:-${!name-}}; done; [[ $4 ]] || number=0; "
    '[[ $number ]] || { echo "heorot: nothing tells a rank its number on its host, by which it '
    'would take its devices" >&2; exit 3; }; '
    "set -f; all=($(seq 0 $((n - 1)))); "
    "for name in $5 $variable; do [[ ! ${!name+set} ]] || told=$name; done; "
    "if [[ $told ]]; then IFS=,; all=(${!told}); unset IFS; "
    "case ${all[0]-} in -1 | NoDevFiles) all=() ;; esac; fi; "
    "first=$((number % ranks * n / ranks)) next=$(((number % ranks + 1) * n / ranks)); "
    "((next > first)) || next=$((first + 1)); "
    '((next <= ${#all[@]})) || { echo "heorot: a rank takes its part of $n devices, and its host '
    'shows it ${#all[@]}: $told=${!told-}" >&2; exit 3; }; '
    'IFS=,; own="${all[*]:first:next - first}"; unset IFS; unset $5; export "$variable=$own"; '
    'shift 5; exec "$@"'
)


class HostDevices(Record):
    """Devices of one kind on each host of a step.

    Attributes:
        variable: tells a process which of them it sees.
        n: how many the ranks of a host have together.
    """

    variable: str
    n: PositiveInt


def take_devices(
    kinds: Sequence[HostDevices], ranks: int, local_rank: str, *, alone: bool
) -> tuple[str, ...]:
    """The words in front of a program by which each rank takes its devices.

    Args:
        kinds: of devices; none need no words.
        ranks: on a host.
        local_rank: variable with the number of a rank on its host; empty if it is not known.
        alone: whether there are no other ranks, and so no number.
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
