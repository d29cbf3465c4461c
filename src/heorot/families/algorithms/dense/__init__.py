"""Dense linear algebra: products, systems of equations and eigenproblems of full matrices."""
