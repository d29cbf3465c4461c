"""How the kernel tells: small files of /proc and /sys, and lists of CPUs."""
