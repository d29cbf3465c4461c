"""Stores a run on disk as plain files that other tools can read; files are replaced atomically."""
