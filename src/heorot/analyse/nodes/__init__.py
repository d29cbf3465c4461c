"""Compares the nodes of a machine: rows, outliers, findings, sentences."""
