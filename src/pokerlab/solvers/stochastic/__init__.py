"""Stochastic games: a game in every state, whose outcome pays and leads to the next state. So are tournaments."""
