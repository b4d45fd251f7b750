"""The public form on a graphics card: programs in CUDA C, their memory, and the walks that launch them."""
