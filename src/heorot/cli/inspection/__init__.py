"""Commands about the machine, the catalogue and file formats; none measures."""
