"""Smaller versions of big games, to come: card buckets, and translation of bets that are not on the menu."""
