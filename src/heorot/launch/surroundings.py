"""What a job script has to know of the place it will run in, in the words of its shell."""

from __future__ import annotations

from heorot.model.base import Record


class Surroundings(Record):
    """How a job script finds its hosts and reaches them.

    Attributes:
        header: lines behind the first one, such as `#SBATCH --nodes=4`.
        list_hosts: shell command that prints the names of the hosts of the job, one a line, in the
            order they are filled.
        on_host: shell words in front of the name of a host and a command with its arguments, which
            then runs there with our environment or without, its exit code ours: `/usr/bin/ssh`;
            empty if the job has only the host its script runs on.
        describe: shell commands that copy what is to be known of a host into a directory of the
            job, given as `$1`; run once on every host; empty if nobody wants to know.
    """

    header: tuple[str, ...] = ()
    list_hosts: str = 'echo "$HOSTNAME"'
    on_host: str = ""
    describe: str = ""
