"""Concurrent measurements on this machine, which perturb each other."""
