"""Kernels of counter-strategies, by form."""
