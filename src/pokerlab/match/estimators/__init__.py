"""Estimators of what a hand was worth, with less luck in them than in the chips that it won."""
