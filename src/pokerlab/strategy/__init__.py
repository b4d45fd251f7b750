"""A solution with names on it: query, save, load, mix, purify; and the one call that makes it."""
