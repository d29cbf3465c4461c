"""Reads the samples of nodes, and the output of site commands and other monitors."""
