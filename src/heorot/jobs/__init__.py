"""A job's life: its files, what batch systems call its states, and what became of it."""
