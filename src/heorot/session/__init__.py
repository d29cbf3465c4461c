"""What the commands call: the conductor, and what looks at a machine or at runs."""
