"""What is asked of a run, what is planned, and what comes back."""
