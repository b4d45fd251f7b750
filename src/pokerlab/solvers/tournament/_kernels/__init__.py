"""Kernels of tournaments."""
