"""Explains rates: phases, contention, ranks, processor time, scaling, sizes, caches."""
