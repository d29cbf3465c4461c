"""Jobs of batch systems: allocations, accounts, states, acceptance."""
