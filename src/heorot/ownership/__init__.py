"""Owners of files and runs: content that other users may have written is not trusted."""
