"""Ways of running a job: on this machine, or by a batch system."""
