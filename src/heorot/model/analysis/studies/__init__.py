"""Records of comparisons of nodes, networks, toolchains, systems and setups."""
