"""Names under which programs publish what messages reach, and others refer to it."""

from __future__ import annotations

BETWEEN = "message_bandwidth"
"""The rate at which one message travels."""

LATENCY = "message_latency"
"""The latency term of a message's time."""

RANDOM_RINGS = "random_ring_bandwidth"
"""What each rank sends per second in random rings."""

BISECTION = "bisection_bandwidth"
"""What passes between halves of the ranks."""
