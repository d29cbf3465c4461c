"""Verdicts and findings of throughput tests."""
