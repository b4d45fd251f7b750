"""Make buckets and look into them."""
