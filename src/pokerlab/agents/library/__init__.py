"""One file per agent; the registry finds them by name."""
