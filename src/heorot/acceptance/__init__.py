"""What a batch system does, and whether it does it right."""
