"""Holds the toolchains of a run against the first of them: speed, right results, porting."""
