"""Parts of a simulation of batch systems: where workloads come from, what is told of them."""
