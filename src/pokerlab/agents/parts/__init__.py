"""What agents share: reading a hand, probability triples, draws, typed actions, lines over a socket."""
