"""First screens of the pages of throughput tests, compared tests and simulations."""
