"""Days of batch work, real and simulated."""
