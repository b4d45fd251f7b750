"""Equilibria of general games: all of them where few actions allow it, one where not, and questions about them."""
