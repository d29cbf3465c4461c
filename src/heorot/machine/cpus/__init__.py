"""The CPUs of a node: which there are, which make a core, where it is and of what kind."""
