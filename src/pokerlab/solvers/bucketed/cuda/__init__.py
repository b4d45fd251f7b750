"""Training over buckets on a graphics card."""
