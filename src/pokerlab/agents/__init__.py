"""Agents: `act(view, rng)` returns an action. A library of agents and the parts they share."""
