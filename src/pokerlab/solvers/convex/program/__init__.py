"""Linear programs: games as programs, and the interface to their solver."""
