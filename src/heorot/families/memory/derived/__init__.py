"""Derived rows and findings of memory programs: NUMA domains, dTLB reach, reported caches."""
