"""Why a number is what it is: phases, copies, scaling, splits, sizes, caches."""
