"""Kernels of the bucketed form."""
