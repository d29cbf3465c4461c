"""Describes the machine that Heorot runs on: one file per type of fact."""
