"""Commands on existing runs."""
