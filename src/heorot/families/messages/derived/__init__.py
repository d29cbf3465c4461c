"""What follows from the rows of messages: laws, parameters, comparisons, rules that were broken."""
