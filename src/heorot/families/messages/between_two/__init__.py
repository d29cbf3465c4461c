"""The records of programs between two ranks at a time."""
