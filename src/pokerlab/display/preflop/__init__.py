"""Preflop games: push or fold, and roll-outs."""
