"""Compiled loops of the cards layer, one file a topic."""
