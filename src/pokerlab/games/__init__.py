"""The rules of games, without strategy: the Game protocol, the poker rule engine, spots, a library of games."""
