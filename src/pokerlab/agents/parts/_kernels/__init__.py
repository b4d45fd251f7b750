"""Kernels of what agents share."""
