"""The section of questions: what the plan asked, and what the run answers."""
