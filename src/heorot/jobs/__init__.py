"""The lifecycle of a job: its files, its states in batch systems, its final state."""
