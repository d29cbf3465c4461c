"""Core types of a node: the rates of each by itself, and the finding about them."""
