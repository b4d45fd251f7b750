"""Kernels of first-order methods."""
