"""The sections of the report, from title to configuration."""
