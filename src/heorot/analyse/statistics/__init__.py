"""Statistics: medians and intervals, fits, significance, comparison of samples."""
