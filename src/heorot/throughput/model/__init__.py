"""Records of workloads, throughput tests and their results."""
