"""Whether the files of a run agree with each other: digests, records, samples, results."""
