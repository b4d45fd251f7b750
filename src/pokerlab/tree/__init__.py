"""A game as flat arrays: history, sequence, normal, public and classes form, and the choice among them."""
