"""One file a game: what the registry finds by name."""
