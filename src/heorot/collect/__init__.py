"""Turns the files of jobs into outcomes and samples; damaged files never raise exceptions."""
