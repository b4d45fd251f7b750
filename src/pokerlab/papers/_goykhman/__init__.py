"""The parts of papers/goykhman.py: runs, numbers, figures, and what goes beyond the paper."""
