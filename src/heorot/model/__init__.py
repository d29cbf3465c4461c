"""The frozen records that the stages hand to each other."""
