"""Played hands: stored in a database, queried, replayed, exported and imported."""
