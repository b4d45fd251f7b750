"""Something that acts: act(view, rng) gives an action; a library of agents and the parts they share."""
