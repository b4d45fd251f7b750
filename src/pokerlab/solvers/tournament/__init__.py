"""Whole tournaments of push or fold as stochastic games: a state is the chips of everyone, a move is a hand."""
