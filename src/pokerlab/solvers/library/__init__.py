"""One file an algorithm: what the registry finds by name."""
