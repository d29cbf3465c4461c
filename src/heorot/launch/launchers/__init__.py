"""The dialects of what starts the ranks of a step: a file for each launcher."""
