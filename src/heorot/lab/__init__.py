"""The lab: a cluster in a box, whose nodes are Linux namespaces of one computer."""
