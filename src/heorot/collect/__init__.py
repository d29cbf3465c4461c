"""Turns what jobs left on disk into outcomes and samples; nothing found there is an exception."""
