"""What the analysis says of many things compared with each other: nodes, networks, toolchains."""
