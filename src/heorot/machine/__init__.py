"""Describes the machine Heorot runs on: one file per kind of fact."""
