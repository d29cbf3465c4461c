"""What the samples of the nodes say of a day."""
