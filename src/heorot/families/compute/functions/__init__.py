"""Elementary functions: how fast the mathematical library is, and how accurate."""
