"""The command line: parse, call the session, print."""
