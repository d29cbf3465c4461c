"""First screens: what they are made of, and those of comparisons."""
