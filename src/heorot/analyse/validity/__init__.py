"""What numbers must stand up to: ceilings, cross-checks, disturbances, placement; findings."""
