"""Reruns of published experiments."""
