"""How many numbers a vector of kernels holds: BLOCK of tree/public/boards.py and LANES of tree/public/treeplex.py.

Imported from there, every change of the tree package would compile these kernels anew.
"""

WIDTH = 16  # of a row of lanes
BLOCK = 32  # hands of a block
