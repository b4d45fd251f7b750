"""Solvers of games whose betting is over before the flop."""
