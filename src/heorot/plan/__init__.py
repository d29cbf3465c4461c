"""Plans: which cases run, how often and in which order; which do not, and why."""
