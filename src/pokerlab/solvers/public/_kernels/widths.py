"""How many numbers a vector of kernels holds."""

WIDTH = 16  # of a row of lanes
BLOCK = 32  # hands of a block
