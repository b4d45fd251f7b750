"""Many hands: blocks, matches, tournaments, and their results."""
