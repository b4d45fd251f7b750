"""Studies of strategies: beliefs, thinning, and games restricted by what is known of an opponent."""
