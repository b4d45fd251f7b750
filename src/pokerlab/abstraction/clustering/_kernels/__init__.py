"""Compiled loops of the clustering."""
