"""Published machines and their figures: shipped sources, users' own files, and what they meet."""
