"""Compiled loops of the range engine."""
