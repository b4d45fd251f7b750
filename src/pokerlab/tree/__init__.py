"""A game as flat arrays: history trees, public trees with hand vectors, bucketed trees."""
