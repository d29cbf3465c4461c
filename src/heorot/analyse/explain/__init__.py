"""Why a number is what it is: phases, copies, ranks, processor time, scaling, sizes, caches."""
