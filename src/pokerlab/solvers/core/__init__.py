"""What all solvers share: algorithms, the run loop, schedules and curves."""
