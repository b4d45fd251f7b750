"""A solution with names on it: query, save, load, browse, mix, purify."""
