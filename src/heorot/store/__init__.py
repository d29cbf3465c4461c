"""Keeps a run on disk: plain files that can be read with other tools, replaced only as a whole."""
