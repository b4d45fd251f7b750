"""One file per game; the registry finds them by name."""
