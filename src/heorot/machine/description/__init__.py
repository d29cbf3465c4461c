"""A machine as text: YAML for editing, and a table for reading."""
