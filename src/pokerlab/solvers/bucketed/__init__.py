"""Solvers of the bucketed form."""
