"""What the analysis makes of a run."""
