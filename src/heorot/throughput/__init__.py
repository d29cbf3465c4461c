"""Throughput tests, real and simulated."""
