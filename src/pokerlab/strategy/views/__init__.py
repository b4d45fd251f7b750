"""Nodes of a solution, to browse."""
