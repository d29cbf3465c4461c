"""Starts the programs of a plan in jobs that survive the end of Heorot itself."""
