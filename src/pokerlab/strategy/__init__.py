"""Named solutions: query, browse, save, load, verify, lock, mix, purify."""
