"""Files that people write by hand: YAML 1.2 read into records, with errors that know their line."""
