"""Metrics of throughput tests: queue waits, utilisation, contention, missing work."""
