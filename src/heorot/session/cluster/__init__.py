"""Where jobs run, and what is known of the nodes there."""
