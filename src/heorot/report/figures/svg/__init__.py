"""Pictures of drawings: SVG that is complete on paper and says where its points are."""
