"""What a day will take, said before anything runs."""
