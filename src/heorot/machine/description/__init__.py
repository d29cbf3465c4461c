"""A machine in words: YAML that people edit, and a table that they read."""
