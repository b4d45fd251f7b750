"""Kernels of CFR on treeplexes."""
