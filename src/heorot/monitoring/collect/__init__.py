"""Reads what samplers on the nodes wrote, and what commands of the site and other watchers say."""
