"""Programs of others: recipes as files, as cases, as commands, and what their output says."""
