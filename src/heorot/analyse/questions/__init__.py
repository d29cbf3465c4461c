"""Answers to the questions of a plan: by experiment, then as a sentence."""
