"""Transforms: Fourier transforms of lines, planes and blocks, and wavelets."""
