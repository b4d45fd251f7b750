"""Published numbers with their sources, one file a topic."""
