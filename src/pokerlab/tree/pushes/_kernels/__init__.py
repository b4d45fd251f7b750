"""Kernels of all-in or fold with any number of players."""
