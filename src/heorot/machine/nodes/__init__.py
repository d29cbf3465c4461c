"""Nodes of a cluster: copied on the node, read and compared here."""
