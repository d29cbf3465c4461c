"""The dialects of batch systems: what each calls things, and how it answers."""
