"""The parts of what is measured on a timeline."""
