"""Entry points of the commands: the conductor, and inspection of machines and runs."""
