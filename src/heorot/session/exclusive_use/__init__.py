"""What else measures on this machine: each would disturb the other."""
