"""Nodes of a cluster: copied where they are, read and compared here."""
