"""A day of batch work, measured: waits, use of the machine, interference, what is missing."""
