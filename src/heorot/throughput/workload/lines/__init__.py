"""Lines of traces: how they are cut into fields, and the job that each tells of."""
