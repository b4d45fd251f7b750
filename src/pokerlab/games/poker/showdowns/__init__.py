"""One file per showdown rule; the rules of a game refer to it by file name."""
