"""What families write their records with: sizes after the machine, headers of the sources."""
