"""Tables of the pages about days."""
