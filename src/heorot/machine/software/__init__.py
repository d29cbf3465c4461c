"""Installed software: compilers, MPIs, environment modules, batch systems."""
