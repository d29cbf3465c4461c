"""Records of the analysis of a run."""
