"""Measure, respond to, exploit, assess, verify and browse strategies."""
