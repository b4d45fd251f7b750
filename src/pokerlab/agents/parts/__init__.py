"""Parts shared by agents: hand reading, probability triples, draws, typed actions, lines over a socket."""
