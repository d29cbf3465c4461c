"""Kinds of cores of a node: what each does by itself, and what is said of them."""
