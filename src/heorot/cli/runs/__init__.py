"""Commands on runs that are there already."""
