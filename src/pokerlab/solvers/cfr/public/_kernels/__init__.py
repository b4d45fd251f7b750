"""Kernels of CFR over a public tree."""
