"""Sentences and findings on messages, and their comparisons."""
