"""Five-card draw played by machine code: strategies over buckets and players that go by rules."""
