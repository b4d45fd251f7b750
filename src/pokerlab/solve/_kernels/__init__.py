"""Compiled loops of the algorithms."""
