"""Figures: their contents, drawing and captions."""
