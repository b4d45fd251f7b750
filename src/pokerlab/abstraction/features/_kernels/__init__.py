"""Compiled loops of the features."""
