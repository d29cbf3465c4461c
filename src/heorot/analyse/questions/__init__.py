"""What a run answers to the questions of its plan: experiment by experiment, then in a sentence."""
