"""Runs throughput tests: prepares, submits job by job, follows, concludes."""
