"""Stragglers: the rank or host that is repeatedly the slowest, and by how much."""
