"""Solve, resume, compare, train and evolve."""
