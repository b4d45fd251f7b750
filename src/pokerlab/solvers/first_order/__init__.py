"""First-order methods on treeplexes: the excessive gap technique and mirror prox, with their prox functions."""
