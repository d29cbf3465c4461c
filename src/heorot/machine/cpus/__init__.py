"""The CPUs of a node: sets of CPUs, cores, their places and types."""
