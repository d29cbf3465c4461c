"""Lines of traces: their fields, and the jobs made of them."""
