"""Times over the size of messages: curves, crossovers, violated guidelines."""
