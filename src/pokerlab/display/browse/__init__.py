"""Saved strategies: infosets, and the nodes of a solution as grids, tables and files."""
