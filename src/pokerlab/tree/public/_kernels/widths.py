"""The vector widths of kernels: BLOCK of tree/public/boards.py and LANES of tree/public/treeplex.py.

If they were imported from there, every change of the tree package would recompile these kernels.
"""

WIDTH = 16  # of a row of lanes
BLOCK = 32  # hands of a block
