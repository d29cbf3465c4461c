"""Elementary functions: speed and accuracy of the mathematical library."""
