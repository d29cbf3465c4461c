"""Analysis of the nodes' samples: load, resources used by jobs, faults."""
