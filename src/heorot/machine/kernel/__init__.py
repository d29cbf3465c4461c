"""Readers of the kernel's files: small files of /proc and /sys, and lists of CPUs."""
