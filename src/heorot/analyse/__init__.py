"""The column that judges samples: statistics, comparisons, fits and what they mean."""
