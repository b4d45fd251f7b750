"""Smaller versions of big games: card buckets, bet menus, translation of bets that are not on the menu."""
