"""The rules of games, without strategy: the Game protocol, the poker rule engine, one file a game."""
