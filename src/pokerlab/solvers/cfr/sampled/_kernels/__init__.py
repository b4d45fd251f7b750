"""Compiled loops of Monte-Carlo CFR."""
