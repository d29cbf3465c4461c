"""Schedulers of the jobs of a test: a batch system, or Heorot itself."""
