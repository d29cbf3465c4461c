"""Pictures of drawings: SVG that is complete on paper and has the positions of its points."""
