"""Equilibria that use fewer actions."""
