"""One file an agent: what the registry finds by name."""
