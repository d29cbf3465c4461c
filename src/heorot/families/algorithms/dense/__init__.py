"""Dense linear algebra: products, linear systems and eigenproblems."""
