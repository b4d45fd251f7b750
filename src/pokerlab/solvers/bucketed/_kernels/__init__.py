"""Kernels of the bucketed engines."""
