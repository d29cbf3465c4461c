"""What the rows of messages say in words: sentences, findings, and what they compare."""
