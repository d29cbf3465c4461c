"""Tables: sortable, copyable, short enough to read."""
