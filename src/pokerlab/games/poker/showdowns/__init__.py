"""One file a way to compare hands at the showdown, named by its file in the rules of a game."""
