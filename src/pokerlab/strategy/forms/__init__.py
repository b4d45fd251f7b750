"""Strategies of each form: their names, and how they are stored in files."""
