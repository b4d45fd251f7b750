"""Games: what they are like, how large they are, and drawings of their trees."""
