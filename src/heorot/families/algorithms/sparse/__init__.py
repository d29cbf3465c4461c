"""Equations that iteration solves: sparse products, systems and eigenproblems, and a dense one."""
