"""One node in depth: roofline, machine balance, kernel predictions, contention, plateaus."""
