"""Several systems side by side as a page."""
