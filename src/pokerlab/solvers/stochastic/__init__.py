"""Stochastic games, including tournaments: a game in every state, whose outcome pays and leads to the next state."""
