"""Third-party programs in a run: their choice, build, start and output."""
