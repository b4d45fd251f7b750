"""Many hands: blocks, matches, tournaments, and what they came to."""
