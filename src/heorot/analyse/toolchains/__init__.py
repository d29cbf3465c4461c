"""Compares the toolchains of a run with the first one: speed, correctness, porting."""
