"""Compiled loops of the tree forms."""
