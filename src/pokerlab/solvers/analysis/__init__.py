"""Analysis of strategies: beliefs, thinning, and games restricted by a model of the opponent."""
