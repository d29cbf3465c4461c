"""The records of programs in which all ranks take part."""
