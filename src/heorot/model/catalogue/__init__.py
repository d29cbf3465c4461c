"""The catalogue: everything that is known of programs before anything runs."""
