"""A recipe to begin with: every key with a comment, a whole recipe as it stands."""

from __future__ import annotations

_TEXT = r"""# The recipe of @NAME@: how Heorot builds, runs, verifies and reads it.
# docs/recipes.md explains every key; docs/your-own-program.md goes through an example.
# Try it:  @HEOROT@ recipe check @NAME@.yaml --source @NAME@=DIRECTORY
name: @NAME@
question: How long does a time step take?        # what the program answers
source: the directory it is built from           # what it is, which version, from where
licence: unknown                                 # under which it may be used
comparable: "No: an application of our own"      # Yes, In part or No: with published figures

mpi: toolchain            # who starts the ranks; `none` for a program without MPI

build:                    # in a copy of the sources; leave it out for `installed: {command: NAME}`
  steps:
    - make CC={mpicc} CFLAGS={flags}
# files:                  # what each launch finds in its folder
#   input.txt: |
#     size {size}

# input_files:            # and files of this machine
#   - {path: mesh.dat, sha256: ...}    # sha256sum mesh.dat

command: ./@NAME@ {size}  # a path below the sources, then its arguments
# executables:            # in place of `command`: several, one after the other
#   - {name: mesh, command: ./mesh mesh.dat, serial: true}
#   - {name: solve, command: "./@NAME@ {size}"}
cases:
  - name: strong          # one problem on more and more cores
    set: {size: 1000}
    ranks: powers         # 1, 2, 4 ... all cores
    time: 10s             # one launch
    memory: 1GB
    priority: headline
size: {coordinate: size}  # which value says how large a problem is
# telling: [cores, nodes] # the questions of which its cases tell most

# phases:                 # times of its parts
#   pattern: '^(?P<region>\w+): (?P<value>\S+) s$'
#   names: [read, solve, write]

verification:             # without it the figures are marked as unchecked
  - name: residual
    pattern: 'residual\s+(?P<value>\S+)'
    tolerance: 1.0e-8     # |value - expected|, expected is 0 if it is not said

metrics:
  - name: time
    unit: s               # as printed: us, ms, MB/s, Gflop/s ...
    better: lower
    pattern: 'time\s+(?P<value>\S+)'
    region: solve         # what the number belongs to
    headline: [solve]     # stands on the score card
  # values: {region: [copy, add]}   # of a pattern with a region or coordinates: which there are
"""


def skeleton(name: str, heorot: str) -> str:
    """A commented recipe.

    Args:
        heorot: how the user calls Heorot.
    """
    return _TEXT.replace("@NAME@", name).replace("@HEOROT@", heorot)
