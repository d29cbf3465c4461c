"""What samples of the nodes say: how busy they were, what jobs used, and what went wrong."""
