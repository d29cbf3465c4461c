"""The roofline: roofs, points below them, and labels that do not hide each other."""
