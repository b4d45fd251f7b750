"""A solution with names on it: query, browse, save, load, verify, lock, mix, purify."""
