"""Records of one node's roofline analysis: roofs, points, kernel predictions, contention."""
