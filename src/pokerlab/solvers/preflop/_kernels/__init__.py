"""Kernels of games before the flop."""
