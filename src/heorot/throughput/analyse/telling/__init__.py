"""What is said about a day in sentences: its verdict and its findings."""
