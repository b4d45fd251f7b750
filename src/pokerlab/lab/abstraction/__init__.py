"""Create and inspect buckets."""
