"""The functional acceptance of a batch system: a verdict for each feature, with evidence."""
