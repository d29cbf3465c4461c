#!/bin/sh
# own_temporary.sh COMMAND [WORD ...]: runs a command whose temporary files go with it.
# What a killed launcher of Open MPI leaves is named by its process id; in a common directory the
# next launcher with that id would find it and end: "PMIx server's listener thread failed to start".
TMPDIR=$(mktemp -d) || exit 125
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
"$@"
