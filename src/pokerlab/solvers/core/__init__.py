"""What every solver stands on: algorithms, the run loop, schedules, curves."""
