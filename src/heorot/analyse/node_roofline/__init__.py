"""Roofline of one node: roofs, measured regions, kernel predictions, contention of copies."""
