"""Sentences as templates: what renders them, the values they take, and those of the analysis."""
