"""The column that judges samples: statistics, comparisons, fits and explanations."""
