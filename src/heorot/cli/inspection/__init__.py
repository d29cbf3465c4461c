"""Commands that look at the machine, the catalogue and the forms of files; none measures."""
