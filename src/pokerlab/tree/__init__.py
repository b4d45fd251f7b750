"""A game laid out as flat arrays: history, sequence, normal, public and roles form, and the choice among them."""
