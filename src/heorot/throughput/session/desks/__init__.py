"""Who gives the jobs of a day their nodes: a batch system, or Heorot itself."""
