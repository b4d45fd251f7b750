"""The parts of papers/goykhman.py: runs, numbers, figures, and extensions of the paper."""
