"""What follows from the rows of memory programs: of domains, of translations, of caches told."""
