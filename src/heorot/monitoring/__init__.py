"""What nodes do while jobs run on them."""
