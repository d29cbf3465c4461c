"""What is known of programs before anything runs."""
