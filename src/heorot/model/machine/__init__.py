"""What a machine is, and what a site says of it."""
