"""What allocates nodes to the jobs of a test: a batch system, or Heorot itself."""
