"""Times over the size of messages: curves, where two of them cross, which break rules."""
