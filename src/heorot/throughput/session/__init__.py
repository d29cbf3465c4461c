"""A day of batch work: prepared, handed in job by job, watched, settled."""
