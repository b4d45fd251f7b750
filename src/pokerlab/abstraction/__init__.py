"""Smaller versions of large games: card buckets, and translation of bets that are not on the menu."""
