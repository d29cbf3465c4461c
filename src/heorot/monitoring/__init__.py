"""Monitoring of nodes while jobs run on them."""
