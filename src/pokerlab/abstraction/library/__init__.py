"""Ways to put the hands of a round into buckets, one file each: what the registry finds."""
