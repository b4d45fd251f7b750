"""Tournaments: chip values and endgames."""
