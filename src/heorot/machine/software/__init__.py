"""What is installed: compilers, MPIs, environment modules, batch systems."""
