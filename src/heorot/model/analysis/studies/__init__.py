"""What the analysis says of many things held against each other: nodes, networks, toolchains."""
