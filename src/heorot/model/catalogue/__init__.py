"""The catalogue: the description of programs, known before anything runs."""
