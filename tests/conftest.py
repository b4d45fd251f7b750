"""Settings of all tests: random examples have no time limit of their own, since machines are shared and noisy."""

from hypothesis import settings

settings.register_profile("pokerlab", deadline=None)
settings.load_profile("pokerlab")
