"""Consistency of the files of a run: digests, records, samples, results."""
