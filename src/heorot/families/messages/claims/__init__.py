"""What the rows of messages say: sentences and findings, and what they compare."""
