"""What runs inside a lab: the supervisor, the nodes, and who asks them to run something.

Only the standard library is used, so that a node costs a fork and an agent a few milliseconds.
"""
