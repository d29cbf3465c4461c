"""Holds the nodes of a machine against each other: rows, outliers, findings, sentences."""
