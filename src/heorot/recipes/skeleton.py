"""A template for a recipe: every key with a comment, and a valid recipe without changes."""

from __future__ import annotations

_TEXT = r"""# The recipe of @NAME@: how Heorot builds, runs, verifies and reads it.
# docs/recipes.md explains every key; docs/your-own-program.md goes through an example.
# Try it:  @HEOROT@ recipe check @NAME@.yaml --source @NAME@=DIRECTORY
name: @NAME@
question: How long does a time step take?        # answered by the program
source: the directory it is built from           # program, version and origin
licence: unknown                                 # its licence
comparable: "No: an application of our own"      # Yes, In part or No: with published figures

mpi: toolchain            # MPI that starts the ranks; `none` for a program without MPI

build:                    # in a copy of the sources; without a build `installed: {command: NAME}`
  steps:
    - make CC={mpicc} CFLAGS={flags}
# files:                  # files in the folder of each launch
#   input.txt: |
#     size {size}

# input_files:            # further files of this machine
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
size: {coordinate: size}  # the value that is the size of a problem
# telling: [cores, nodes] # the questions that its cases answer best

# phases:                 # times of its parts
#   pattern: '^(?P<region>\w+): (?P<value>\S+) s$'
#   names: [read, solve, write]

verification:             # without it the figures are marked as unchecked
  - name: residual
    pattern: 'residual\s+(?P<value>\S+)'
    tolerance: 1.0e-8     # of |value - expected|; expected is 0 by default

metrics:
  - name: time
    unit: s               # as printed: us, ms, MB/s, Gflop/s ...
    better: lower
    pattern: 'time\s+(?P<value>\S+)'
    region: solve         # what the number belongs to
    headline: [solve]     # shown on the score card
  # values: {region: [copy, add]}   # expected values of a pattern with a region or coordinates
"""


def skeleton(name: str, heorot: str) -> str:
    """A commented recipe.

    Args:
        heorot: command line prefix of the user.
    """
    return _TEXT.replace("@NAME@", name).replace("@HEOROT@", heorot)
