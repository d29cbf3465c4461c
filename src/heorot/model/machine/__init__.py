"""Descriptions of machines and site files."""
