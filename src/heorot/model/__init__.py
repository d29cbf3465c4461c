"""The frozen records that stages pass to each other."""
