"""Figures: what is shown, how it is drawn, and what it says in words."""
