"""Builds the programs that a plan needs, once per toolchain and source."""
