"""Chip values, and the endgame of a tournament."""
