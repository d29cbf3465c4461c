"""Third-party programs: recipes as files, cases, builds and commands; parsing of output."""
