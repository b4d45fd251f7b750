"""Compiled loops of the cards package, one file per topic."""
