"""Linear programs: games as programs, and the solver they are given to."""
