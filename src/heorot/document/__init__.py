"""Files written by users: YAML 1.2 read into records, with errors that have a line."""
