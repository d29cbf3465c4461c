"""Jobs in the hands of a batch system."""
