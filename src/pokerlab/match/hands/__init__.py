"""Hands that were played: kept in a database, asked for, replayed, exported and imported."""
