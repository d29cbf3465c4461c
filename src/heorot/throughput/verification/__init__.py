"""What was stored of throughput tests against what their jobs wrote, and tests side by side."""
