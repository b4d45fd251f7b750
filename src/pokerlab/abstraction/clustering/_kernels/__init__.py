"""Compiled loops of clustering."""
