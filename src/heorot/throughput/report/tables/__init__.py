"""Tables of the pages of throughput tests."""
