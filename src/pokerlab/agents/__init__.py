"""Something that acts: act(view, rng) gives an action; one file an agent."""
