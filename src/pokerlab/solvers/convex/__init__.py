"""Convex optimisation: first-order methods, oracle methods and linear programs."""
