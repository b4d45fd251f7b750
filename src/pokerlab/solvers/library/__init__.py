"""One file per algorithm; the registry looks them up by name."""
