"""Whose files and runs are: what others can have written is not acted upon."""
