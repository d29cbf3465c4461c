"""The programs of others in a run: which there are, how they are built, started and read."""
