"""Nodes of a solution to walk through, as people look at them."""
